import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface ExpiryOptions {
  /** Chunks of content that happened earlier go. */
  readonly before: Date;
  /** Rows per transaction: small, so that no writer waits and autovacuum keeps up. */
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/** Takes old content out of the corpus, account by account, in short transactions. The content itself is not touched. Answers rows deleted. */
export async function deleteExpiredChunks(db: AnyDatabase, options: ExpiryOptions): Promise<number> {
  let deleted = 0;
  for (const accountId of await listAccountsWithExpired(db, options.before)) {
    for (;;) {
      if (options.signal.aborted) return deleted;
      const rows = await deleteBatch(db, accountId, options);
      deleted += rows;
      if (rows < options.batchSize) break;
    }
  }
  return deleted;
}

/** Jumps from account to account through the index by time: its cost grows with the accounts, not with their chunks. */
async function listAccountsWithExpired(db: AnyDatabase, before: Date): Promise<string[]> {
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

async function deleteBatch(db: AnyDatabase, accountId: string, options: ExpiryOptions): Promise<number> {
  const result = await sql`
    delete from search.chunk where account_id = ${accountId} and id in (
      select id from search.chunk where account_id = ${accountId} and occurred_at < ${options.before}
      order by occurred_at limit ${options.batchSize}
    )
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}
