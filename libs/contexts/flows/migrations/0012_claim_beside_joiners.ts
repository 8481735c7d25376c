import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

const FUNCTIONS = [
  'flows.claim_execution(text, uuid, integer, integer, integer, uuid, uuid[])',
  'flows.lease_lost(uuid)',
] as const;

/**
 * A claim changes no key of the row: a lock that only prevents its deletion (of a trigger that joins it) is not a
 * reason to skip the row, which would then wait until the next check.
 */
export const claimBesideJoiners: Migration = {
  async up(db) {
    for (const name of FUNCTIONS)
      await changeFunction(db, name, [['for update skip locked', 'for no key update skip locked']]);
  },
};
