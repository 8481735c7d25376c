import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface UnindexedContent {
  /** Rises with each transaction that stores such content or moves it: one that reads it sees all that was done up to it. */
  readonly generation: number;
  /** Content later than this is indexed, as far as indexing on write goes. */
  readonly latestOccurredAt: Date;
}

/** Notes that the account's corpus has a gap up to a time. The row is locked until what is stored is committed with it. */
export async function noteUnindexedContent(trx: AnyTransaction, accountId: string, occurredAt: Date): Promise<void> {
  await sql`
    insert into gateway.unindexed_content (account_id, last_stored_at, latest_occurred_at)
    values (${accountId}, clock_timestamp(), ${occurredAt})
    on conflict (account_id) do update set last_stored_at = excluded.last_stored_at,
      generation = unindexed_content.generation + 1,
      latest_occurred_at = greatest(unindexed_content.latest_occurred_at, excluded.latest_occurred_at)
  `.execute(trx);
}

/**
 * Notes that a session which may have such content is found at another place. One that was made after the last of it was stored has
 * none; three hours are left for clocks that differ.
 */
export async function noteMovedSession(
  trx: AnyTransaction,
  session: { readonly accountId: string; readonly createdAt: Date },
): Promise<void> {
  await sql`
    update gateway.unindexed_content set generation = generation + 1
    where account_id = ${session.accountId} and last_stored_at > ${session.createdAt}::timestamptz - interval '3 hours'
  `.execute(trx);
}

interface UnindexedContentRow {
  readonly generation: number;
  readonly latest_occurred_at: Date;
}

/** Selects what is noted of an account: no row when everything was indexed as it was stored. */
export function selectUnindexedContent(accountId: string): RawBuilder<UnindexedContentRow> {
  return sql<UnindexedContentRow>`
    select generation, latest_occurred_at from gateway.unindexed_content where account_id = ${accountId}`;
}

/** Undefined for an account everything of which was indexed when it was stored. */
export async function findUnindexedContent(db: AnyDatabase, accountId: string): Promise<UnindexedContent | undefined> {
  const found = await selectUnindexedContent(accountId).execute(db);
  const row = found.rows[0];
  return row === undefined ? undefined : toUnindexedContent(row);
}

/** Of those of the accounts that have such content. */
export async function listUnindexedContent(
  db: AnyDatabase,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, UnindexedContent>> {
  const { rows } = await sql<UnindexedContentRow & { readonly account_id: string }>`
    select account_id, generation, latest_occurred_at from gateway.unindexed_content
    where account_id = any (${[...accountIds]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.account_id, toUnindexedContent(row)]));
}

function toUnindexedContent(row: UnindexedContentRow): UnindexedContent {
  return { generation: row.generation, latestOccurredAt: row.latest_occurred_at };
}
