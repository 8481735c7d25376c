import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

/**
 * Calls whose cost cannot be read from their body are reserved at the maximum or refused, as the account chooses per
 * budget.
 */
export const refuseUnsizedCalls: Migration = {
  async up(db) {
    await sql`alter table budgets.budget add column refuses_unsized boolean not null default false`.execute(db);
    await changeFunction(db, 'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)', [
      ['as is_unpriced, ', `as is_unpriced, coalesce((e.value ->> 'is_unsized')::boolean, false) as is_unsized, `],
      [
        '(request.is_unpriced or ',
        '(request.is_unpriced or request.is_unsized and coalesce(known[place].refuses_unsized, false) or ',
      ],
    ]);
  },
};
