import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Embedding settings of an account (scope, endpoint, cap), and the spend per UTC day. Amounts are numeric: a sum of
 * many small prices in floating point would drift from the provider's bill.
 */
export const createEmbeddingSetting: Migration = {
  async up(db) {
    await sql`
      create table search.embedding_setting (
        account_id uuid primary key,
        is_enabled boolean not null default false,
        scope text not null default 'summaries_only'
          constraint embedding_setting_scope_check check (scope in ('summaries_only', 'full')),
        provider text,
        model_identifier text,
        base_url text,
        api_key_sealed bytea,
        daily_cap_usd numeric(12, 6) constraint embedding_setting_daily_cap_usd_check check (daily_cap_usd >= 0),
        -- Why the last run stopped short.
        degraded_reason text,
        degraded_at timestamptz,
        enabled_at timestamptz,
        updated_at timestamptz not null,
        constraint embedding_setting_details_check
          check (not is_enabled or (provider is not null and model_identifier is not null and base_url is not null))
      )
    `.execute(db);
    await sql`
      create table search.embedding_spend (
        account_id uuid not null,
        day date not null,
        spent_usd numeric(18, 10) not null default 0,
        -- Of calls under way.
        reserved_usd numeric(18, 10) not null default 0,
        tokens bigint not null default 0,
        calls bigint not null default 0,
        primary key (account_id, day),
        constraint embedding_spend_check check (spent_usd >= 0 and reserved_usd >= 0)
      )
    `.execute(db);

    await sql`grant select, insert, update on search.embedding_setting to steward_api_gateway`.execute(db);
    await sql`grant select on search.embedding_spend to steward_api_gateway`.execute(db);
  },
};
