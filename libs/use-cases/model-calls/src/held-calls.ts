import type { Clock } from '@steward/async';
import { keepReservationsAlive } from '@steward/slice-budgets';
import type { AnyDatabase } from '@steward/database';

/** Without a sign of life a call's process is taken for dead. */
export const ALIVE_MS = 90_000;

/** The calls of this process that hold something. */
export interface HeldCalls {
  add(accountId: string, id: string): void;
  delete(accountId: string, id: string): void;
  /** Gives a sign of life of each. */
  keepAlive(): Promise<void>;
}

export function createHeldCalls({ db, clock }: { readonly db: AnyDatabase; readonly clock: Clock }): HeldCalls {
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
      const aliveUntil = new Date(clock.now().getTime() + ALIVE_MS);
      for (const [accountId, ids] of held) await keepReservationsAlive(db, { accountId, ids: [...ids], aliveUntil });
    },
  };
}
