import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { EmbeddingSetting } from '../../embedding/embedding-setting.ts';
import { utcDay } from '../../embedding/rules/utc-day.ts';

/** The parts of an account's setting and spend that a query needs. */
export interface EmbeddingTerms extends Omit<EmbeddingSetting, 'hasApiKey'> {
  readonly apiKeySealed: Buffer | null;
  /** True if a call has failed and the provider is still paused. */
  readonly isHeld: boolean;
  /** Today's spend in US dollars, including reservations. */
  readonly spentUsd: number;
  /** The time of the database's clock, rounded up to the precision of the chunks' index time. */
  readonly databaseNow: Date;
}

/** Returns the terms in one round trip; undefined for an account that has never saved a setting. */
export async function findEmbeddingTerms(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly now: Date },
): Promise<EmbeddingTerms | undefined> {
  const { rows } = await sql<EmbeddingTerms>`
    select is_enabled as "isEnabled", scope, provider, model_identifier as "modelIdentifier",
      base_url as "baseUrl", api_key_sealed as "apiKeySealed", daily_cap_usd::float8 as "dailyCapUsd",
      degraded_reason as "degradedReason", degraded_at as "degradedAt",
      coalesce(work.failures > 0 and work.held_until > statement_timestamp(), false) as "isHeld",
      coalesce(spent_usd + reserved_usd, 0)::float8 as "spentUsd",
      clock_timestamp() + interval '1 millisecond' as "databaseNow"
    from search.embedding_setting setting
    left join search.embedding_work work on work.account_id = setting.account_id
    left join search.embedding_spend spend
      on spend.account_id = setting.account_id and spend.day = ${utcDay(key.now)}::date
    where setting.account_id = ${key.accountId}
  `.execute(db);
  return rows[0];
}
