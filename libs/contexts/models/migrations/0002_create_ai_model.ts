import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Models of an account, and a row for each call. Money is numeric, never a float: a price has six decimals per million
 * tokens, so that a token costs a whole number of 10^-12 dollars and no sum is ever rounded.
 */
export const createAiModel: Migration = {
  async up(db) {
    await sql`
      create table models.ai_model (
        account_id uuid not null,
        id uuid not null,
        alias text not null,
        provider text not null
          constraint ai_model_provider_check check (provider in ('openai', 'anthropic', 'generic_compatible')),
        base_url text not null,
        model_identifier text not null,
        api_key_sealed bytea,
        -- Of the account's own; null for those of the catalogue.
        input_usd_per_mtok numeric(18, 6) constraint ai_model_input_check check (input_usd_per_mtok >= 0),
        output_usd_per_mtok numeric(18, 6) constraint ai_model_output_check check (output_usd_per_mtok >= 0),
        cached_input_usd_per_mtok numeric(18, 6) constraint ai_model_cached_check check (cached_input_usd_per_mtok >= 0),
        max_output_tokens integer constraint ai_model_max_output_tokens_check check (max_output_tokens > 0),
        fallback_model_ids uuid[] not null default '{}'
          constraint ai_model_fallback_check check (cardinality(fallback_model_ids) <= 3),
        is_default boolean not null default false,
        is_enabled boolean not null default true,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (account_id, id),
        constraint ai_model_alias_key unique (account_id, alias),
        constraint ai_model_prices_check check (
          (input_usd_per_mtok is null) = (output_usd_per_mtok is null)
          and (input_usd_per_mtok is not null or cached_input_usd_per_mtok is null)
        )
      )
    `.execute(db);
    await sql`create unique index ai_model_default_key on models.ai_model (account_id) where is_default`.execute(db);
    await sql`create index ai_model_identifier_idx on models.ai_model (account_id, model_identifier)`.execute(db);
    await sql`grant select, insert, update, delete on models.ai_model to steward_api_gateway`.execute(db);
  },
};
