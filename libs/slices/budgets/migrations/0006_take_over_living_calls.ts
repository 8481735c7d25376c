import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

/**
 * A call may be taken over while it is given a sign of life, too: that changes no key of its row, so that the lock which still
 * keeps away from what is being ended is the weakest one. Its deletion waits for the sign, and the sign for nobody. Only who ended
 * a call while it is taken over, which nobody does, could meet it in a deadlock, and would try again.
 */
export const takeOverLivingCalls: Migration = {
  async up(db) {
    await changeFunction(db, 'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)', [
      ['for update skip locked', 'for key share skip locked'],
    ]);
  },
};
