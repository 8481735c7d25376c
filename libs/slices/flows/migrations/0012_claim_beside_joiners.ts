import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

const FUNCTIONS = [
  'flows.claim_execution(text, uuid, integer, integer, integer, uuid, uuid[])',
  'flows.lease_lost(uuid)',
] as const;

/**
 * Who takes an execution changes no key of its row: what only keeps the row from being deleted (a trigger that joins it) is no
 * reason to pass it over, which would leave it waiting until somebody looks again.
 */
export const claimBesideJoiners: Migration = {
  async up(db) {
    for (const name of FUNCTIONS)
      await changeFunction(db, name, [['for update skip locked', 'for no key update skip locked']]);
  },
};
