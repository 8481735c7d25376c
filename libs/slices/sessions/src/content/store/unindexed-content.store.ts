import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface UnindexedContent {
  /** By the database's clock. */
  readonly lastStoredAt: Date;
  /** Content later than this is indexed, as far as indexing on write goes. */
  readonly latestOccurredAt: Date;
}

/** Notes that the account's corpus has a gap up to a time. */
export async function noteUnindexedContent(trx: AnyTransaction, accountId: string, occurredAt: Date): Promise<void> {
  await sql`
    insert into gateway.unindexed_content (account_id, last_stored_at, latest_occurred_at)
    values (${accountId}, clock_timestamp(), ${occurredAt})
    on conflict (account_id) do update set last_stored_at = excluded.last_stored_at,
      latest_occurred_at = greatest(unindexed_content.latest_occurred_at, excluded.latest_occurred_at)
  `.execute(trx);
}

interface UnindexedContentRow {
  readonly last_stored_at: Date;
  readonly latest_occurred_at: Date;
}

/** Selects what is noted of an account: no row when everything was indexed as it was stored. */
export function selectUnindexedContent(accountId: string): RawBuilder<UnindexedContentRow> {
  return sql<UnindexedContentRow>`
    select last_stored_at, latest_occurred_at from gateway.unindexed_content where account_id = ${accountId}`;
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
    select account_id, last_stored_at, latest_occurred_at from gateway.unindexed_content
    where account_id = any (${[...accountIds]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.account_id, toUnindexedContent(row)]));
}

function toUnindexedContent(row: UnindexedContentRow): UnindexedContent {
  return { lastStoredAt: row.last_stored_at, latestOccurredAt: row.latest_occurred_at };
}
