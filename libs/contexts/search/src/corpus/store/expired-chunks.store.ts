import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Selects an account's content that was created before a given time. */
export interface Expired {
  readonly accountId: string;
  readonly before: Date;
}

/**
 * Returns the accounts with old content. Uses the time index to skip from account to account: the cost grows with the
 * number of accounts, not of chunks.
 */
export async function listAccountsWithExpired(db: AnyDatabase, before: Date): Promise<string[]> {
  const found = await sql<{ account_id: string }>`
    with recursive account as (
      (select account_id from search.chunk order by account_id limit 1)
      union all
      select (select chunk.account_id from search.chunk where chunk.account_id > account.account_id order by chunk.account_id limit 1)
      from account where account.account_id is not null
    )
    select account_id from account
    where account_id is not null
      and exists (select 1 from search.chunk where chunk.account_id = account.account_id and occurred_at < ${before})
  `.execute(db);
  return found.rows.map((row) => row.account_id);
}

/** Deletes the oldest chunks. Returns their number. */
export async function deleteExpiredBatch(
  db: AnyDatabase,
  { accountId, before, limit }: Expired & { readonly limit: number },
): Promise<number> {
  const result = await sql`
    delete from search.chunk where account_id = ${accountId} and id in (
      select id from search.chunk where account_id = ${accountId} and occurred_at < ${before}
      order by occurred_at limit ${limit}
    )
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Deletes the credential sightings in expired content. */
export async function deleteExpiredSightings(db: AnyDatabase, { accountId, before }: Expired): Promise<void> {
  await sql`
    delete from search.credential_sighting where account_id = ${accountId} and occurred_at < ${before}
  `.execute(db);
}
