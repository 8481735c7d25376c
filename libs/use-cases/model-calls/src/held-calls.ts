import { keepReservationsAlive } from '@steward/budgets';
import type { AnyDatabase } from '@steward/database';

/** Time without a heartbeat after which the process of a call is considered dead. */
export const ALIVE_SECONDS = 90;

/** Calls of this process that hold a reservation. */
export interface HeldCalls {
  add(accountId: string, id: string): void;
  delete(accountId: string, id: string): void;
  /** Sets how long the heartbeat of a call that continues without this process remains valid. */
  park(accountId: string, id: string, seconds: number): Promise<void>;
  /** Sends a heartbeat for each call. */
  keepAlive(): Promise<void>;
}

/**
 * Creates the list of held calls.
 * @param readNow - Reads the clock that is also used to find dead calls
 */
export function createHeldCalls(db: AnyDatabase, readNow: () => Promise<Date>): HeldCalls {
  const held = new Map<string, Set<string>>();
  const readEnd = async (seconds: number): Promise<Date> => new Date((await readNow()).getTime() + seconds * 1000);
  function remove(accountId: string, id: string): void {
    const ids = held.get(accountId);
    ids?.delete(id);
    if (ids?.size === 0) held.delete(accountId);
  }
  return {
    add(accountId, id) {
      const ids = held.get(accountId) ?? new Set();
      held.set(accountId, ids.add(id));
    },
    delete: remove,
    async park(accountId, id, seconds) {
      await keepReservationsAlive(db, { accountId, ids: [id], aliveUntil: await readEnd(seconds) });
      remove(accountId, id);
    },
    async keepAlive() {
      if (held.size === 0) return;
      const aliveUntil = await readEnd(ALIVE_SECONDS);
      for (const [accountId, ids] of held) await keepReservationsAlive(db, { accountId, ids: [...ids], aliveUntil });
    },
  };
}
