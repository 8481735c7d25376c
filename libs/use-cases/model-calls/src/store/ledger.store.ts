import { sql } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';
import { callSettle, selectHeld } from '@steward/budgets';
import { buildUsageInsert } from '@steward/models';
import type { EndedRow } from '../book-calls.ts';

/**
 * Records calls of one account in one statement: locks their reservations, writes their rows, settles. The commit does
 * not wait for the disk.
 * @throws an error that `isUntoldCrossing` recognizes if a threshold alert has to be sent; nothing is recorded then
 */
export async function bookAtOnce(db: AnyDatabase, accountId: string, rows: readonly EndedRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const written = sql`(select coalesce(array_agg(id), '{}') from written)`;
  await executePrepared(
    db,
    'model-calls.book',
    sql`
    with held as materialized (${selectHeld(accountId, ids)}), ready as materialized (
      select (select count(*) from held) >= 0 and set_config('synchronous_commit', 'off', true) = 'off' as is_ready
    ), written as (${buildUsageInsert(rows, sql`(select is_ready from ready)`)})
    select 1 from ${callSettle(accountId, rows, { written, mayTell: false })}
  `,
  );
}
