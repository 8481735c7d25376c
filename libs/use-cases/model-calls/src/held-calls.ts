import { keepReservationsAlive } from '@steward/slice-budgets';
import type { AnyDatabase } from '@steward/database';

/** Without a sign of life a call's process is taken for dead. */
export const ALIVE_SECONDS = 90;

/** The calls of this process that hold something. */
export interface HeldCalls {
  add(accountId: string, id: string): void;
  delete(accountId: string, id: string): void;
  /** One that goes on without this process: its sign of life is good for so long. */
  park(accountId: string, id: string, seconds: number): Promise<void>;
  /** Gives a sign of life of each. */
  keepAlive(): Promise<void>;
}

/** @param readNow - The clock that those read by who take calls for dead. */
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
