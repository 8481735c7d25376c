import { describeRowContext, newId, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { AiModel, AiModelFields, AiModelPatch } from '../ai-model.ts';
import { familyOf } from '../provider.ts';
import { isSameService, readModelFields, requireFallbacks } from '../rules/read-model-fields.ts';
import {
  clearDefault,
  findAiModel,
  findAiModels,
  insertAiModel,
  isAliasTaken,
  listDependents,
  lockAiModels,
  updateAiModel,
  type AiModelKey,
} from '../store/ai-model.store.ts';
import { requireModelQuota } from '../store/quota.store.ts';

export interface SaveModelInput {
  readonly accountId: string;
  readonly patch: AiModelPatch;
  /** Origins that may use http or a loopback address, in the format that `readOrigin` returns. */
  readonly insecureOrigins: readonly string[];
  readonly now: Date;
}

export type SaveModelOutcome =
  | {
      readonly kind: 'saved';
      readonly model: AiModel;
      /** The previous alias, if the alias was changed; references to the previous alias no longer work. */
      readonly formerAlias?: string;
    }
  | { readonly kind: 'alias_taken' }
  /**
   * The change is refused, because it would give the model an API that differs from that of the models that use it as a
   * fallback.
   */
  | { readonly kind: 'in_use'; readonly aliases: readonly string[] };

/**
 * Adds a model to the account.
 * @throws invalid_request, invalid_base_url, base_url_required, quota_reached
 */
export async function createAiModel(
  trx: AnyTransaction,
  input: SaveModelInput,
  box: SecretBox,
): Promise<SaveModelOutcome> {
  const { accountId, patch, now } = input;
  const fields = readModelFields(undefined, patch, input.insecureOrigins);
  await lockAiModels(trx, accountId);
  await requireModelQuota(trx, accountId);
  const key = { accountId, id: newId() };
  if (await isAliasTaken(trx, key, fields.alias)) return { kind: 'alias_taken' };
  await prepareOthers(trx, key, fields, now);
  const apiKeySealed = sealKey(patch.apiKey, key, box);
  return { kind: 'saved', model: await insertAiModel(trx, { ...fields, ...key, apiKeySealed, now }) };
}

/**
 * Changes the fields that were sent. Undefined fields are not changed, except that a new provider also changes the base
 * URL, and a new provider or origin deletes the API key.
 * @throws invalid_request, invalid_base_url, base_url_required
 */
export async function updateAiModelFields(
  trx: AnyTransaction,
  input: SaveModelInput & AiModelKey,
  box: SecretBox,
): Promise<SaveModelOutcome | { readonly kind: 'not_found' }> {
  const { accountId, id, patch, now } = input;
  await lockAiModels(trx, accountId);
  const stored = await findAiModel(trx, { accountId, id });
  if (stored === undefined) return { kind: 'not_found' };
  const fields = readModelFields(stored, patch, input.insecureOrigins);
  if (familyOf(fields.provider) !== familyOf(stored.provider)) {
    const aliases = await listDependents(trx, { accountId, id });
    if (aliases.length > 0) return { kind: 'in_use', aliases };
  }
  if (await isAliasTaken(trx, { accountId, id }, fields.alias)) return { kind: 'alias_taken' };
  await prepareOthers(trx, { accountId, id }, fields, now);
  const forgets = patch.apiKey === undefined && !isSameService(stored, fields);
  const apiKeySealed = forgets ? null : sealKey(patch.apiKey, { accountId, id }, box);
  const model = await updateAiModel(trx, { ...fields, accountId, id, apiKeySealed, now });
  return { kind: 'saved', model, ...(stored.alias === model.alias ? {} : { formerAlias: stored.alias }) };
}

async function prepareOthers(trx: AnyTransaction, key: AiModelKey, fields: AiModelFields, now: Date): Promise<void> {
  const { fallbackModelIds: ids } = fields;
  requireFallbacks({ ...fields, id: key.id }, ids.length === 0 ? [] : await findAiModels(trx, key.accountId, ids));
  if (fields.isDefault) await clearDefault(trx, key, now);
}

/** Encrypts a key; undefined (unchanged) remains undefined, and an empty string (deleted) becomes null. */
function sealKey(apiKey: string | undefined, key: AiModelKey, box: SecretBox): Buffer | null | undefined {
  if (apiKey === undefined) return undefined;
  return apiKey === '' ? null : box.seal(apiKey, describeRowContext(key.accountId, key.id));
}
