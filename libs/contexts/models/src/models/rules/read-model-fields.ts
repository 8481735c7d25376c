import { AppError } from '@steward/contracts';
import { checkBaseUrl } from '@steward/egress';
import type { AiModel, AiModelFields, AiModelPatch } from '../ai-model.ts';
import { MAX_FALLBACKS } from '../ai-model.ts';
import { familyOf } from '../provider.ts';
import { KNOWN_BASE_URLS } from './provider-url.ts';

export const MAX_IDENTIFIER_LENGTH = 255;
const ALIAS = /^[a-z0-9][a-z0-9._:/-]{0,79}$/;
/** Matches a key whose characters are all allowed in a header. */
const SENDABLE = /^[\x21-\x7e]+$/;
/** Matches a price with at most six decimal places, because no real price has more. */
const PRICE = /^\d{1,7}(\.\d{1,6})?$/;
const MAX_PRICE_USD = 1_000_000;

/** Defaults of a new model. */
export const NEW_MODEL: Pick<
  AiModelFields,
  'customPrices' | 'maxOutputTokens' | 'fallbackModelIds' | 'isDefault' | 'isEnabled'
> = { customPrices: null, maxOutputTokens: null, fallbackModelIds: [], isDefault: false, isEnabled: true };

/**
 * Merges the sent fields into those of the model, and checks each field separately (MOD-2 to MOD-6).
 *
 * @param stored - the stored fields of the model; undefined for a new one
 * @throws invalid_request with the field, invalid_base_url
 */
export function readModelFields(
  stored: AiModelFields | undefined,
  patch: AiModelPatch,
  insecureOrigins: readonly string[],
): AiModelFields {
  const { apiKey, ...given } = patch;
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const merged: Partial<AiModelFields> = { ...NEW_MODEL, ...stored, ...sent };
  const { alias = '', provider = 'openai', modelIdentifier = '' } = merged;
  require(ALIAS.test(alias), 'alias', `must be 1 to 80 characters: a-z, 0-9, and . _ : / - after the first.`);
  require(isIdentifier(
    modelIdentifier,
  ), 'model_identifier', `must be 1 to ${MAX_IDENTIFIER_LENGTH} characters without spaces.`);
  require(apiKey === undefined || apiKey === '' || SENDABLE.test(apiKey), 'api_key', 'cannot be sent in a header.');
  checkPrices(merged.customPrices ?? null);
  return {
    ...NEW_MODEL,
    ...merged,
    alias,
    provider,
    modelIdentifier,
    baseUrl: chooseBaseUrl(stored, { ...given, provider }, insecureOrigins),
    // The ids are returned in their stored form, so that they can be compared.
    fallbackModelIds: (merged.fallbackModelIds ?? []).map((id) => id.toLowerCase()),
  };
}

/**
 * Returns the base URL of a saved model. If the sent fields contain neither a base URL nor another provider, the stored
 * base URL is not checked again, so that a model whose base URL the operator no longer allows can still be disabled.
 */
function chooseBaseUrl(
  stored: AiModelFields | undefined,
  { baseUrl, provider }: Pick<AiModelPatch, 'baseUrl'> & Pick<AiModelFields, 'provider'>,
  insecureOrigins: readonly string[],
): string {
  if (baseUrl === undefined && stored?.provider === provider) return stored.baseUrl;
  const chosen = baseUrl ?? KNOWN_BASE_URLS[provider];
  if (chosen !== undefined) return readBaseUrl(chosen, insecureOrigins);
  throw new AppError('base_url_required', {
    message: 'An OpenAI-compatible provider needs a base URL. Send "base_url".',
    detail: { field: 'base_url' },
  });
}

function readBaseUrl(text: string, insecureOrigins: readonly string[]): string {
  const checked = checkBaseUrl(text, insecureOrigins);
  if (checked.kind === 'valid') return checked.baseUrl;
  throw new AppError('invalid_base_url', { message: checked.message, detail: { field: 'base_url' } });
}

function checkPrices(prices: AiModelFields['customPrices']): void {
  for (const [name, usd] of Object.entries(prices ?? {}) as [string, string | null][]) {
    const field = `prices.${{ input: 'input', output: 'output', cachedInput: 'cached_input' }[name] ?? name}_per_mtok_usd`;
    const isPrice = usd === null || (PRICE.test(usd) && Number(usd) <= MAX_PRICE_USD);
    require(isPrice, field, `must be 0 to ${MAX_PRICE_USD} US dollars per million tokens, with at most six decimals.`);
  }
}

function isIdentifier(text: string): boolean {
  return text.length <= MAX_IDENTIFIER_LENGTH && /^[^\s\p{C}]+$/u.test(text);
}

/**
 * Checks the fallbacks of a model (MOD-7): they must be at most `MAX_FALLBACKS` other models of the account, in the
 * same family, each listed once.
 *
 * @param found - the models of the account that have one of the fallback ids
 * @throws invalid_request
 */
export function requireFallbacks(model: AiModelFields & { readonly id: string }, found: readonly AiModel[]): void {
  const ids = model.fallbackModelIds;
  const field = 'fallback_model_ids';
  require(ids.length <= MAX_FALLBACKS, field, `can name at most ${MAX_FALLBACKS} models.`);
  require(new Set(ids).size === ids.length, field, 'must name each model once.');
  require(!ids.includes(model.id), field, 'must not name the model itself.');
  for (const id of ids) {
    const fallback = found.find((one) => one.id === id);
    require(fallback !== undefined, field, `names ${id}, which is not a model of the account.`);
    const isSameFamily = fallback === undefined || familyOf(fallback.provider) === familyOf(model.provider);
    require(isSameFamily, field, `names ${fallback?.alias ?? id}, which uses another API.`);
  }
}

/**
 * Returns whether two versions of a model have the same provider and origin. A key is sent only to the service for
 * which it was saved: otherwise a user who may change the address could obtain the key by doing so.
 */
export function isSameService(stored: AiModelFields, next: AiModelFields): boolean {
  return stored.provider === next.provider && new URL(stored.baseUrl).origin === new URL(next.baseUrl).origin;
}

function require(isRight: boolean, field: string, what: string): void {
  if (!isRight) throw new AppError('invalid_request', { message: `"${field}" ${what}`, detail: { field } });
}
