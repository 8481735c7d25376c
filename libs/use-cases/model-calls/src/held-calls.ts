import { keepReservationsAlive } from '@steward/slice-budgets';
import type { AnyDatabase } from '@steward/database';

/** Without a sign of life a call's process is taken for dead. */
export const ALIVE_SECONDS = 90;

/** The calls of this process that hold something. */
export interface HeldCalls {
  add(accountId: string, id: string): void;
  delete(accountId: string, id: string): void;
  /** Gives a sign of life of each. */
  keepAlive(): Promise<void>;
}

/** @param readNow - The clock that those read by who take calls for dead. */
export function createHeldCalls(db: AnyDatabase, readNow: () => Promise<Date>): HeldCalls {
  const held = new Map<string, Set<string>>();
  return {
    add(accountId, id) {
      const ids = held.get(accountId) ?? new Set();
      held.set(accountId, ids.add(id));
    },
    delete(accountId, id) {
      const ids = held.get(accountId);
      ids?.delete(id);
      if (ids?.size === 0) held.delete(accountId);
    },
    async keepAlive() {
      if (held.size === 0) return;
      const aliveUntil = new Date((await readNow()).getTime() + ALIVE_SECONDS * 1000);
      for (const [accountId, ids] of held) await keepReservationsAlive(db, { accountId, ids: [...ids], aliveUntil });
    },
  };
}
