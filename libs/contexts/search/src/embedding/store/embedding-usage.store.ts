import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { EmbeddingUsage, NotedUsage } from '../embedding-usage.ts';

/**
 * Returns the part of a statement that stores usage of calls. The same statement also changes the sum of the day, so
 * that the usage and the sum include the same calls.
 * @param rows - a query: account, call, time, provider, model, source, whether it failed, tokens, dollars
 */
export function noteUsage(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into search.embedding_usage (account_id, call_id, occurred_at, provider, model_identifier, source, is_failed, tokens,
      cost_usd)
    ${rows}
    on conflict (account_id, call_id) do update set source = excluded.source, is_failed = excluded.is_failed,
      tokens = excluded.tokens, cost_usd = excluded.cost_usd, noted_at = excluded.noted_at
  `;
}

/** Returns the part of a statement that stores the usage of one call. */
export function noteCall(
  accountId: string,
  usage: EmbeddingUsage & { readonly spentUsd: number },
): RawBuilder<unknown> {
  return noteUsage(sql`
    values (${accountId}::uuid, ${usage.callId}::uuid, ${usage.occurredAt}::timestamptz, ${usage.provider},
      ${usage.modelIdentifier}, ${usage.source}, ${usage.isFailed}::boolean, ${usage.tokens}::bigint, ${usage.spentUsd}::numeric)
  `);
}

/** Returns the ids of up to 1,000 accounts with usage that has not been recorded in the ledger yet. */
export async function listAccountsOfUsage(db: AnyDatabase): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct account_id as id from search.embedding_usage limit 1000
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Deletes the usage of calls and returns it; the caller records it in the ledger in this transaction. Calls locked by
 * another process are skipped.
 */
export async function takeUsage(
  trx: AnyTransaction,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<NotedUsage[]> {
  const { rows } = await sql<NotedUsage>`
    delete from search.embedding_usage where account_id = ${accountId} and call_id in (
      select call_id from search.embedding_usage where account_id = ${accountId} limit ${limit} for update skip locked
    )
    returning call_id as "callId", occurred_at as "occurredAt", provider, model_identifier as "modelIdentifier", source,
      is_failed as "isFailed", tokens, trim_scale(cost_usd)::text as "costUsd",
      greatest(0, extract(epoch from noted_at - occurred_at) * 1000)::int as "durationMs"
  `.execute(trx);
  return rows;
}
