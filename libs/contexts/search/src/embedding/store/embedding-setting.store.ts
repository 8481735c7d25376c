import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { NO_EMBEDDING_SETTING, type EmbeddingSetting } from '../embedding-setting.ts';

interface SettingRow {
  readonly is_enabled: boolean;
  readonly scope: EmbeddingSetting['scope'];
  readonly provider: EmbeddingSetting['provider'];
  readonly model_identifier: string | null;
  readonly base_url: string | null;
  readonly has_api_key: boolean;
  readonly daily_cap_usd: number | null;
  readonly degraded_reason: string | null;
  readonly degraded_at: Date | null;
}

const COLUMNS = sql`is_enabled, scope, provider, model_identifier, base_url, api_key_sealed is not null as has_api_key,
  daily_cap_usd::float8 as daily_cap_usd, degraded_reason, degraded_at`;

/** Returns the setting of an account; if it was never saved, a disabled setting without details. */
export async function findEmbeddingSetting(db: AnyDatabase, accountId: string): Promise<EmbeddingSetting> {
  const { rows } = await sql<SettingRow>`
    select ${COLUMNS} from search.embedding_setting where account_id = ${accountId}
  `.execute(db);
  return rows[0] === undefined ? NO_EMBEDDING_SETTING : readSetting(rows[0]);
}

/**
 * Returns the setting, locked until the end of the transaction: saves of one account are serialized, including the
 * first one.
 */
export async function lockEmbeddingSetting(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly now: Date },
): Promise<EmbeddingSetting> {
  await sql`
    insert into search.embedding_setting (account_id, updated_at) values (${key.accountId}, ${key.now})
    on conflict (account_id) do nothing
  `.execute(trx);
  const { rows } = await sql<SettingRow>`
    select ${COLUMNS} from search.embedding_setting where account_id = ${key.accountId} for update
  `.execute(trx);
  return rows[0] === undefined ? NO_EMBEDDING_SETTING : readSetting(rows[0]);
}

/** Returns the setting, locked against saves until the end of the transaction. */
export async function holdEmbeddingSetting(trx: AnyTransaction, accountId: string): Promise<EmbeddingSetting> {
  const statement = sql<SettingRow>`
    select ${COLUMNS} from search.embedding_setting where account_id = ${accountId} for share
  `;
  const { rows } = await executePrepared(trx, 'embedding-setting-hold', statement);
  return rows[0] === undefined ? NO_EMBEDDING_SETTING : readSetting(rows[0]);
}

/** Returns whether the setting still has this API key. */
export async function isApiKey(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sealed: Buffer | null },
): Promise<boolean> {
  const { rows } = await sql`
    select from search.embedding_setting
    where account_id = ${key.accountId} and api_key_sealed is not distinct from ${key.sealed}::bytea
  `.execute(db);
  return rows.length > 0;
}

/** Records the reason why embedding is stopped for an account, and the time when it stopped. */
export async function noteStop(
  trx: AnyTransaction,
  stop: { readonly accountId: string; readonly reason: string; readonly now: Date },
): Promise<void> {
  await sql`
    update search.embedding_setting set degraded_reason = ${stop.reason}, degraded_at = ${stop.now}
    where account_id = ${stop.accountId} and degraded_reason is distinct from ${stop.reason}
  `.execute(trx);
}

/** Removes a reason that was recorded before the given time, because the account embeds again. */
export async function clearStop(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly before: Date },
): Promise<void> {
  await sql`
    update search.embedding_setting set degraded_reason = null, degraded_at = null
    where account_id = ${key.accountId} and degraded_at < ${key.before}
  `.execute(db);
}

export interface SettingUpdate {
  readonly accountId: string;
  readonly setting: EmbeddingSetting;
  /** Encrypted API key; undefined leaves it unchanged. If `hasApiKey` is false, the key is deleted. */
  readonly apiKeySealed: Buffer | undefined;
  readonly isEnabledNow: boolean;
  readonly now: Date;
}

export async function updateEmbeddingSetting(trx: AnyTransaction, update: SettingUpdate): Promise<void> {
  const { setting, apiKeySealed = null, isEnabledNow, now } = update;
  await sql`
    update search.embedding_setting set is_enabled = ${setting.isEnabled}, scope = ${setting.scope},
      provider = ${setting.provider}, model_identifier = ${setting.modelIdentifier}, base_url = ${setting.baseUrl},
      api_key_sealed = case when ${setting.hasApiKey} then coalesce(${apiKeySealed}, api_key_sealed) end,
      daily_cap_usd = ${setting.dailyCapUsd}, degraded_reason = ${setting.degradedReason},
      degraded_at = ${setting.degradedAt}, updated_at = ${now},
      enabled_at = case when ${isEnabledNow} then ${now}::timestamptz else enabled_at end
    where account_id = ${update.accountId}
  `.execute(trx);
}

function readSetting(row: SettingRow): EmbeddingSetting {
  return {
    isEnabled: row.is_enabled,
    scope: row.scope,
    provider: row.provider,
    modelIdentifier: row.model_identifier,
    baseUrl: row.base_url,
    hasApiKey: row.has_api_key,
    dailyCapUsd: row.daily_cap_usd,
    degradedReason: row.degraded_reason,
    degradedAt: row.degraded_at,
  };
}
