import { sql, type RawBuilder } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import type { AiModel, AiModelFields } from '../ai-model.ts';
import type { ModelProvider } from '../provider.ts';

interface AiModelRow {
  readonly id: string;
  readonly alias: string;
  readonly provider: ModelProvider;
  readonly base_url: string;
  readonly model_identifier: string;
  readonly has_api_key: boolean;
  readonly input_usd: string | null;
  readonly output_usd: string | null;
  readonly cached_input_usd: string | null;
  readonly max_output_tokens: number | null;
  readonly fallback_model_ids: string[];
  readonly is_default: boolean;
  readonly is_enabled: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface AiModelKey {
  readonly accountId: string;
  readonly id: string;
}

export interface AiModelList extends IdPage {
  readonly alias?: string | undefined;
  readonly provider?: ModelProvider | undefined;
  readonly isEnabled?: boolean | undefined;
}

const COLUMNS = sql`id, alias, provider, base_url, model_identifier, api_key_sealed is not null as has_api_key,
  trim_scale(input_usd_per_mtok)::text as input_usd, trim_scale(output_usd_per_mtok)::text as output_usd,
  trim_scale(cached_input_usd_per_mtok)::text as cached_input_usd, max_output_tokens, fallback_model_ids, is_default,
  is_enabled, created_at, updated_at`;

/** Returns models of an account, newest first, with one more than requested if there is another page. */
export async function listAiModels(db: AnyDatabase, list: AiModelList): Promise<AiModel[]> {
  const { alias = null, provider = null, isEnabled = null, beforeId = null } = list;
  const { rows } = await sql<AiModelRow>`
    select ${COLUMNS} from models.ai_model
    where account_id = ${list.accountId} and (${alias}::text is null or alias = ${alias})
      and (${provider}::text is null or provider = ${provider})
      and (${isEnabled}::boolean is null or is_enabled = ${isEnabled})
      and (${beforeId}::uuid is null or id < ${beforeId})
    order by id desc limit ${list.limit + 1}
  `.execute(db);
  return rows.map(readRow);
}

export async function findAiModel(db: AnyDatabase, key: AiModelKey): Promise<AiModel | undefined> {
  const { rows } = await sql<AiModelRow>`
    select ${COLUMNS} from models.ai_model where account_id = ${key.accountId} and id = ${key.id}
  `.execute(db);
  return rows[0] === undefined ? undefined : readRow(rows[0]);
}

/** Serializes changes to an account's models until the commit: fallbacks and the default concern several rows. */
export async function lockAiModels(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ai models ${accountId}`}, 0))`.execute(trx);
}

/** Returns the models of the account that have one of these ids. */
export async function findAiModels(db: AnyDatabase, accountId: string, ids: readonly string[]): Promise<AiModel[]> {
  const { rows } = await sql<AiModelRow>`
    select ${COLUMNS} from models.ai_model where account_id = ${accountId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return rows.map(readRow);
}

/**
 * Returns whether a model has this alias or id, and locks the model, so that it cannot be deleted or renamed until the
 * transaction ends.
 */
export async function holdAiModel(
  trx: AnyTransaction,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from models.ai_model where account_id = ${accountId} and (alias = ${name} or id::text = ${name}) for share
  `.execute(trx);
  return rows.length > 0;
}

/** Returns the id of the model with this id or alias, and locks the model until the transaction ends. */
export async function findAiModelId(
  trx: AnyTransaction,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from models.ai_model where account_id = ${accountId} and (alias = ${name} or id::text = ${name})
    order by id::text = ${name} desc limit 1 for share
  `.execute(trx);
  return rows[0]?.id;
}

/** Returns true if a model other than this one has the alias. */
export async function isAliasTaken(
  trx: AnyTransaction,
  { accountId, id }: AiModelKey,
  alias: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from models.ai_model where account_id = ${accountId} and alias = ${alias} and id <> ${id}
  `.execute(trx);
  return rows.length > 0;
}

/** Returns the aliases of the models that use this one as a fallback. */
export async function listDependents(db: AnyDatabase, key: AiModelKey): Promise<string[]> {
  const { rows } = await sql<{ alias: string }>`
    select alias from models.ai_model
    where account_id = ${key.accountId} and ${key.id}::uuid = any(fallback_model_ids) order by alias
  `.execute(db);
  return rows.map(({ alias }) => alias);
}

/**
 * Removes the default flag from every other model of the account.
 * @param except - id of the new default model, which is left unchanged
 */
export async function clearDefault(
  trx: AnyTransaction,
  { accountId, id: except }: AiModelKey,
  now: Date,
): Promise<void> {
  await sql`
    update models.ai_model set is_default = false, updated_at = ${now}
    where account_id = ${accountId} and is_default and id <> ${except}
  `.execute(trx);
}

export type SavedAiModel = AiModelFields &
  AiModelKey & {
    /** Encrypted API key; undefined leaves it unchanged, null deletes it. */
    readonly apiKeySealed: Buffer | null | undefined;
    readonly now: Date;
  };

export async function insertAiModel(trx: AnyTransaction, model: SavedAiModel): Promise<AiModel> {
  const { customPrices: prices, now } = model;
  const { rows } = await sql<AiModelRow>`
    insert into models.ai_model (account_id, id, alias, provider, base_url, model_identifier, api_key_sealed,
      input_usd_per_mtok, output_usd_per_mtok, cached_input_usd_per_mtok, max_output_tokens, fallback_model_ids,
      is_default, is_enabled, created_at, updated_at)
    values (${model.accountId}, ${model.id}, ${model.alias}, ${model.provider}, ${model.baseUrl}, ${model.modelIdentifier},
      ${model.apiKeySealed ?? null}, ${prices?.input ?? null}, ${prices?.output ?? null}, ${prices?.cachedInput ?? null},
      ${model.maxOutputTokens}, ${[...model.fallbackModelIds]}::uuid[], ${model.isDefault}, ${model.isEnabled}, ${now}, ${now})
    returning ${COLUMNS}
  `.execute(trx);
  return readRow(rows[0] as AiModelRow);
}

export async function updateAiModel(trx: AnyTransaction, model: SavedAiModel): Promise<AiModel> {
  const { customPrices: prices, apiKeySealed } = model;
  const { rows } = await sql<AiModelRow>`
    update models.ai_model set alias = ${model.alias}, provider = ${model.provider}, base_url = ${model.baseUrl},
      model_identifier = ${model.modelIdentifier},
      api_key_sealed = case when ${apiKeySealed === undefined} then api_key_sealed else ${apiKeySealed ?? null}::bytea end,
      input_usd_per_mtok = ${prices?.input ?? null}, output_usd_per_mtok = ${prices?.output ?? null},
      cached_input_usd_per_mtok = ${prices?.cachedInput ?? null}, max_output_tokens = ${model.maxOutputTokens},
      fallback_model_ids = ${[...model.fallbackModelIds]}::uuid[], is_default = ${model.isDefault},
      is_enabled = ${model.isEnabled}, updated_at = ${model.now}
    where account_id = ${model.accountId} and id = ${model.id} returning ${COLUMNS}
  `.execute(trx);
  return readRow(rows[0] as AiModelRow);
}

export async function deleteAiModel(trx: AnyTransaction, key: AiModelKey): Promise<void> {
  await sql`delete from models.ai_model where account_id = ${key.accountId} and id = ${key.id}`.execute(trx);
}

export interface CallableModel extends AiModel {
  readonly apiKeySealed: Buffer | null;
}

type CallableRow = AiModelRow & { readonly api_key_sealed: Buffer | null };

/** Returns SQL for the number of changes to an account's models; the given column contains the account's id. */
export function selectModelsRevision(accountColumn: string): RawBuilder<number> {
  return sql`coalesce((select r.revision from models.revision r where r.account_id = ${sql.ref(accountColumn)}), 0)`;
}

/**
 * Reads every model that a name may refer to, with its fallbacks, in one statement, because calls wait for the result.
 */
export async function findNamedModels(
  db: AnyDatabase,
  { accountId, name, defaultName }: { readonly accountId: string; readonly name: string; readonly defaultName: string },
): Promise<CallableModel[]> {
  const statement = sql<CallableRow>`
    with named as materialized (
      select id, fallback_model_ids from models.ai_model
      where account_id = ${accountId} and (alias = ${name} or model_identifier = ${name} or id::text = ${name}
        or (is_default and ${name} = ${defaultName}::text))
    )
    select ${COLUMNS}, api_key_sealed from models.ai_model
    where account_id = ${accountId}
      and (id in (select id from named) or id in (select unnest(fallback_model_ids) from named))
  `;
  const { rows } = await executePrepared(db, 'ai-models-named', statement);
  return rows.map((row) => ({ ...readRow(row), apiKeySealed: row.api_key_sealed }));
}

/** Returns one model with its encrypted key, whether or not the model is enabled. */
export async function findCallableModel(db: AnyDatabase, key: AiModelKey): Promise<CallableModel | undefined> {
  const { rows } = await sql<CallableRow>`
    select ${COLUMNS}, api_key_sealed from models.ai_model where account_id = ${key.accountId} and id = ${key.id}
  `.execute(db);
  return rows[0] === undefined ? undefined : { ...readRow(rows[0]), apiKeySealed: rows[0].api_key_sealed };
}

function readRow(row: AiModelRow): AiModel {
  const { input_usd: input, output_usd: output, cached_input_usd: cachedInput } = row;
  return {
    id: row.id,
    alias: row.alias,
    provider: row.provider,
    baseUrl: row.base_url,
    modelIdentifier: row.model_identifier,
    hasApiKey: row.has_api_key,
    customPrices: input === null || output === null ? null : { input, output, cachedInput },
    maxOutputTokens: row.max_output_tokens,
    fallbackModelIds: row.fallback_model_ids,
    isDefault: row.is_default,
    isEnabled: row.is_enabled,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
