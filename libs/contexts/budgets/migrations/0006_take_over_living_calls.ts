import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

/**
 * A call may be taken over while its heartbeat is written: a heartbeat changes no key of the row, so the weakest lock
 * suffices to exclude calls that are being ended. The deletion of the row waits for the heartbeat, and the heartbeat
 * waits for nothing. A deadlock would need a call that is ended during its takeover; no code does that, and the
 * statement would be retried.
 */
export const takeOverLivingCalls: Migration = {
  async up(db) {
    await changeFunction(db, 'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)', [
      ['for update skip locked', 'for key share skip locked'],
    ]);
  },
};
