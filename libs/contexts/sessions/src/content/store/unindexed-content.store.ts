import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface UnindexedContent {
  /**
   * Counter that is incremented by each transaction that stores unindexed content, or changes the position of a session
   * that may have such content: a reader that has read a value sees all changes up to this value.
   */
  readonly generation: number;
  /** Time of the latest unindexed content: all later content was indexed when it was stored. */
  readonly latestOccurredAt: Date;
}

/**
 * Records that the account's corpus lacks content up to a time. The row is locked until the transaction that stores the
 * content ends.
 */
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
 * Records that a session that may have unindexed content has changed its position in the order of sessions. A session
 * created after the last unindexed content was stored has none; three hours are allowed for clock differences.
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

/** Selects the record of an account's unindexed content: no row if all content was indexed when it was stored. */
export function selectUnindexedContent(accountId: string): RawBuilder<UnindexedContentRow> {
  return sql<UnindexedContentRow>`
    select generation, latest_occurred_at from gateway.unindexed_content where account_id = ${accountId}`;
}

/** Returns the record of an account's unindexed content; undefined if all content was indexed when it was stored. */
export async function findUnindexedContent(db: AnyDatabase, accountId: string): Promise<UnindexedContent | undefined> {
  const found = await selectUnindexedContent(accountId).execute(db);
  const row = found.rows[0];
  return row === undefined ? undefined : toUnindexedContent(row);
}

/** Returns the records of unindexed content of the given accounts; accounts without such content are omitted. */
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
