import { createFreshReads } from '@steward/async';
import { describeRowContext, type SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { LRUCache } from 'lru-cache';
import type { ModelPrice } from '../../prices/price.ts';
import { findModelPrice } from '../../prices/rules/model-price.ts';
import type { ServedModel } from '../ai-model.ts';
import { familyOf, type ModelFamily } from '../provider.ts';
import { chooseModel, DEFAULT_MODEL_NAME, type ModelChoice } from '../rules/choose-model.ts';
import { MAX_IDENTIFIER_LENGTH } from '../rules/read-model-fields.ts';
import { findCallableModel, findNamedModels, type AiModelKey, type CallableModel } from '../store/ai-model.store.ts';

export interface CallRequest {
  readonly accountId: string;
  /** The `model` in the client's request. */
  readonly name: string;
  readonly family: ModelFamily;
  readonly now: Date;
  /**
   * The revision of the account's models that applies to the call (`selectModelsRevision`); if undefined, the models
   * are read from the database.
   */
  readonly revision?: number | undefined;
}

export type ModelForCall =
  | {
      readonly kind: 'found';
      /** The requested model, followed by its enabled fallbacks in order. */
      readonly chain: readonly [ServedModel, ...ServedModel[]];
    }
  | Exclude<ModelChoice<never>, { readonly kind: 'found' }>;

/** Returns the models that may serve a call, with their keys decrypted and their current prices (MOD-20, MOD-21). */
export type FindModelForCall = (request: CallRequest) => Promise<ModelForCall>;

export interface FindModelDeps {
  readonly db: AnyDatabase;
  readonly box: SecretBox;
}

interface KnownModels {
  readonly revision: number | undefined;
  readonly models: readonly CallableModel[];
}

const MAX_KNOWN = 10_000;

/**
 * Creates the function that finds models for calls. It caches models, with their keys still encrypted, and uses them
 * for calls with the same revision, so that a change applies from the next call on, in every process. Calls that arrive
 * during a read of the models share the next read.
 */
export function createFindModelForCall({ db, box }: FindModelDeps): FindModelForCall {
  const known = new LRUCache<string, KnownModels>({ max: MAX_KNOWN });
  const share = createFreshReads<readonly CallableModel[]>();
  const findPrice = createPriceMemory();

  async function readModels({ accountId, name, revision }: CallRequest): Promise<readonly CallableModel[]> {
    const key = JSON.stringify([accountId, name]);
    const before = known.get(key);
    if (before !== undefined && before.revision === revision) return before.models;
    const models = await share(key, () => findNamedModels(db, { accountId, name, defaultName: DEFAULT_MODEL_NAME }));
    if (revision !== undefined) known.set(key, { revision, models });
    return models;
  }

  return async (request) => {
    const { accountId, name, family, now } = request;
    if (!isPossibleName(name)) return { kind: 'not_found' };
    const models = await readModels(request);
    const choice = chooseModel(
      models.filter((model) => isNamed(model, name)),
      { name, family },
    );
    if (choice.kind !== 'found') return choice;
    const serve = (model: CallableModel): ServedModel =>
      serveModel(model, { accountId, price: findPrice(model, now), box });
    const fallbacks = choice.model.fallbackModelIds.flatMap(
      (id) => models.find((model) => model.id === id && model.isEnabled && familyOf(model.provider) === family) ?? [],
    );
    return { kind: 'found', chain: [serve(choice.model), ...fallbacks.map(serve)] };
  };
}

/**
 * Returns a function that finds the current price of a model, and caches the price until the end of the minute. Prices
 * are not cached longer, because they depend on the date and the hour.
 */
function createPriceMemory(): (model: CallableModel, now: Date) => ModelPrice {
  const byModel = new WeakMap<CallableModel, { readonly minute: number; readonly price: ModelPrice }>();
  return (model, now) => {
    const minute = Math.floor(now.getTime() / 60_000);
    const before = byModel.get(model);
    if (before?.minute === minute) return before.price;
    const price = findModelPrice(model, now);
    byModel.set(model, { minute, price });
    return price;
  };
}

/** Returns whether a model can have this name. Avoids a query for impossible names; a NUL would make the query fail. */
function isPossibleName(name: string): boolean {
  return name !== '' && name.length <= MAX_IDENTIFIER_LENGTH && !name.includes('\0');
}

function isNamed(model: CallableModel, name: string): boolean {
  const { alias, id, modelIdentifier, isDefault } = model;
  return [alias, id, modelIdentifier].includes(name) || (isDefault && name === DEFAULT_MODEL_NAME);
}

/** Returns one model as it would be called now, whether or not it is enabled. */
export async function findServedModel(
  db: AnyDatabase,
  { accountId, id, now }: AiModelKey & { readonly now: Date },
  box: SecretBox,
): Promise<ServedModel | undefined> {
  const model = await findCallableModel(db, { accountId, id });
  return model === undefined ? undefined : serveModel(model, { accountId, price: findModelPrice(model, now), box });
}

function serveModel(
  model: CallableModel,
  { accountId, price, box }: { readonly accountId: string; readonly price: ModelPrice; readonly box: SecretBox },
): ServedModel {
  const { id, alias, provider, baseUrl, modelIdentifier, maxOutputTokens, apiKeySealed } = model;
  return {
    id,
    alias,
    provider,
    baseUrl,
    modelIdentifier,
    maxOutputTokens,
    apiKey: apiKeySealed === null ? undefined : box.open(apiKeySealed, describeRowContext(accountId, id)),
    price,
  };
}
