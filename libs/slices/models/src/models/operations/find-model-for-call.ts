import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { findModelPrice } from '../../prices/rules/model-price.ts';
import type { ServedModel } from '../ai-model.ts';
import { familyOf, type ModelFamily } from '../provider.ts';
import { chooseModel, DEFAULT_MODEL_NAME, type ModelChoice } from '../rules/choose-model.ts';
import { MAX_IDENTIFIER_LENGTH } from '../rules/read-model-fields.ts';
import { describeKeyContext } from '../rules/key-context.ts';
import { findCallableModel, findNamedModels, type AiModelKey, type CallableModel } from '../store/ai-model.store.ts';

export interface CallRequest {
  readonly accountId: string;
  /** What the client sent as `model`. */
  readonly name: string;
  readonly family: ModelFamily;
  readonly now: Date;
}

export type ModelForCall =
  | {
      readonly kind: 'found';
      /** The model that was named, then those it falls back on, in their order. */
      readonly chain: readonly [ServedModel, ...ServedModel[]];
    }
  | Exclude<ModelChoice<never>, { readonly kind: 'found' }>;

/**
 * The models a call may be served by, with their keys opened and their prices of this moment (MOD-20, MOD-21). One statement, each
 * time: what somebody changed counts from the next call on, in every process, and there is no copy that could be stale.
 */
export async function findModelForCall(db: AnyDatabase, request: CallRequest, box: SecretBox): Promise<ModelForCall> {
  const { accountId, name, family, now } = request;
  if (!isPossibleName(name)) return { kind: 'not_found' };
  const models = await findNamedModels(db, { accountId, name, defaultName: DEFAULT_MODEL_NAME });
  const named = models.filter((model) => isNamed(model, name));
  const choice = chooseModel(named, { name, family });
  if (choice.kind !== 'found') return choice;
  const serve = (model: CallableModel): ServedModel => serveModel(model, { accountId, now, box });
  const fallbacks = choice.model.fallbackModelIds.flatMap(
    (id) => models.find((model) => model.id === id && model.isEnabled && familyOf(model.provider) === family) ?? [],
  );
  return { kind: 'found', chain: [serve(choice.model), ...fallbacks.map(serve)] };
}

/** What no model is called need not be asked for, and a text with a zero cannot be. */
function isPossibleName(name: string): boolean {
  return name !== '' && name.length <= MAX_IDENTIFIER_LENGTH && !name.includes('\0');
}

function isNamed(model: CallableModel, name: string): boolean {
  const { alias, id, modelIdentifier, isDefault } = model;
  return [alias, id, modelIdentifier].includes(name) || (isDefault && name === DEFAULT_MODEL_NAME);
}

/** One model as it would be dialled now, enabled or not. */
export async function findServedModel(
  db: AnyDatabase,
  { accountId, id, now }: AiModelKey & { readonly now: Date },
  box: SecretBox,
): Promise<ServedModel | undefined> {
  const model = await findCallableModel(db, { accountId, id });
  return model === undefined ? undefined : serveModel(model, { accountId, now, box });
}

function serveModel(
  model: CallableModel,
  { accountId, now, box }: { readonly accountId: string; readonly now: Date; readonly box: SecretBox },
): ServedModel {
  const { id, alias, provider, baseUrl, modelIdentifier, maxOutputTokens, apiKeySealed } = model;
  return {
    id,
    alias,
    provider,
    baseUrl,
    modelIdentifier,
    maxOutputTokens,
    apiKey: apiKeySealed === null ? undefined : box.open(apiKeySealed, describeKeyContext({ accountId, id })),
    price: findModelPrice(model, now),
  };
}
