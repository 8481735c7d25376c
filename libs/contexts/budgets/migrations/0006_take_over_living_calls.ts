import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

/**
 * A call may be taken over while its heartbeat is written: that changes no key of its row, so that the lock that still
 * excludes calls being ended is the weakest one. Its deletion waits for the heartbeat, and the heartbeat for nothing. A
 * deadlock needs a call ended during its takeover; no code does that, and it would be retried.
 */
export const takeOverLivingCalls: Migration = {
  async up(db) {
    await changeFunction(db, 'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)', [
      ['for update skip locked', 'for key share skip locked'],
    ]);
  },
};
