import type { ErrorCode } from '@steward/contracts';
import {
  EMBEDDING_PROVIDERS,
  EMBEDDING_SCOPES,
  type EmbeddingPatch,
  type EmbeddingProvider,
  type EmbeddingScope,
  type EmbeddingSetting,
} from '../embedding-setting.ts';
import { checkBaseUrl } from '@steward/egress';

/** Maximum cap in US dollars per day; a higher one is assumed to be a typing error. */
const MAX_DAILY_CAP_USD = 100_000;
const MAX_MODEL_LENGTH = 255;
/** Number of steps in a dollar: the smallest amount that the column of the cap can store is a millionth of a dollar. */
const CAP_STEP = 1_000_000;

export type SettingRefusal = {
  readonly kind: 'refused';
  readonly code: Extract<
    ErrorCode,
    | 'model_required'
    | 'base_url_required'
    | 'invalid_base_url'
    | 'unknown_provider'
    | 'invalid_scope'
    | 'invalid_daily_cap'
    | 'provider_requires_enable'
    | 'invalid_request'
  >;
  readonly field: string;
  readonly message?: string;
};

export type SettingDecision = { readonly kind: 'decided'; readonly setting: EmbeddingSetting } | SettingRefusal;

const PROVIDER_FIELDS = {
  provider: 'provider',
  modelIdentifier: 'model_identifier',
  baseUrl: 'base_url',
  apiKey: 'api_key',
} as const;

/**
 * Applies a save to a setting, or returns the first error (EMB-2 to EMB-8). If the save is refused, nothing is changed.
 */
export function decideSetting(
  stored: EmbeddingSetting,
  patch: EmbeddingPatch,
  insecureOrigins: readonly string[],
): SettingDecision {
  const next = applyPatch(stored, patch);
  const refusal = checkValues(patch) ?? checkDetails(patch, next.isEnabled) ?? checkEnabled(next);
  if (refusal !== undefined) return refusal;
  // Enabling checks the stored endpoint again, because the operator's rules may have changed since the endpoint was
  // saved.
  const looksAtUrl = patch.baseUrl !== undefined || (next.isEnabled && !stored.isEnabled);
  const url = looksAtUrl ? checkBaseUrl(next.baseUrl ?? '', insecureOrigins) : undefined;
  if (url?.kind === 'invalid') {
    return { kind: 'refused', code: 'invalid_base_url', field: 'base_url', message: url.message };
  }
  const setting = keepKey(stored, { ...next, baseUrl: url?.baseUrl ?? stored.baseUrl }, patch);
  return { kind: 'decided', setting: forgetReason(stored, setting, patch) };
}

/** Returns the setting with the values as sent; they are validated separately. */
function applyPatch(stored: EmbeddingSetting, patch: EmbeddingPatch): EmbeddingSetting {
  const { isEnabled = stored.isEnabled, dailyCapUsd = stored.dailyCapUsd } = patch;
  const provider = patch.provider ?? stored.provider ?? (isEnabled ? EMBEDDING_PROVIDERS[0] : null);
  return {
    ...stored,
    isEnabled,
    scope: (patch.scope ?? stored.scope) as EmbeddingScope,
    provider: provider as EmbeddingProvider | null,
    modelIdentifier: patch.modelIdentifier?.trim() ?? stored.modelIdentifier,
    baseUrl: patch.baseUrl ?? stored.baseUrl,
    dailyCapUsd,
  };
}

function checkEnabled({ isEnabled, modelIdentifier, baseUrl }: EmbeddingSetting): SettingRefusal | undefined {
  if (!isEnabled) return undefined;
  if ((modelIdentifier ?? '') === '') return { kind: 'refused', code: 'model_required', field: 'model_identifier' };
  return (baseUrl ?? '') === '' ? { kind: 'refused', code: 'base_url_required', field: 'base_url' } : undefined;
}

/**
 * Keeps the stored key only if the provider and the origin stay the same: otherwise a user who may change the endpoint
 * could obtain the key by doing so.
 */
function keepKey(stored: EmbeddingSetting, next: EmbeddingSetting, { apiKey }: EmbeddingPatch): EmbeddingSetting {
  if (apiKey !== undefined) return { ...next, hasApiKey: apiKey !== '' };
  const isSameService =
    next.provider === stored.provider && readOriginOf(next.baseUrl) === readOriginOf(stored.baseUrl);
  return { ...next, hasApiKey: stored.hasApiKey && isSameService };
}

function readOriginOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}

function checkValues({ scope, provider, dailyCapUsd, modelIdentifier }: EmbeddingPatch): SettingRefusal | undefined {
  const scopes: readonly string[] = EMBEDDING_SCOPES;
  const providers: readonly string[] = EMBEDDING_PROVIDERS;
  if (scope !== undefined && !scopes.includes(scope)) return { kind: 'refused', code: 'invalid_scope', field: 'scope' };
  if (provider !== undefined && !providers.includes(provider))
    return { kind: 'refused', code: 'unknown_provider', field: 'provider' };
  if (typeof dailyCapUsd === 'number' && !isCap(dailyCapUsd)) {
    return { kind: 'refused', code: 'invalid_daily_cap', field: 'daily_cap_usd' };
  }
  if (modelIdentifier !== undefined && [...modelIdentifier.trim()].length > MAX_MODEL_LENGTH) {
    const message = `"model_identifier" must have at most ${MAX_MODEL_LENGTH} characters.`;
    return { kind: 'refused', code: 'invalid_request', field: 'model_identifier', message };
  }
  return undefined;
}

function isCap(value: number): boolean {
  return value >= 0 && value <= MAX_DAILY_CAP_USD && Math.round(value * CAP_STEP) / CAP_STEP === value;
}

/**
 * Refuses details of the provider while embedding is disabled, because such a request usually lacks `enabled` by
 * mistake.
 */
function checkDetails(patch: EmbeddingPatch, isEnabled: boolean): SettingRefusal | undefined {
  if (isEnabled) return undefined;
  const detail = Object.entries(PROVIDER_FIELDS).find(
    ([key]) => patch[key as keyof typeof PROVIDER_FIELDS] !== undefined,
  );
  return detail === undefined ? undefined : { kind: 'refused', code: 'provider_requires_enable', field: detail[1] };
}

/**
 * Clears the reason for a stop after a change of the provider or its details, or after embedding is enabled again;
 * changing the cap does not clear it.
 */
function forgetReason(stored: EmbeddingSetting, next: EmbeddingSetting, patch: EmbeddingPatch): EmbeddingSetting {
  const isSame =
    next.provider === stored.provider &&
    next.modelIdentifier === stored.modelIdentifier &&
    next.baseUrl === stored.baseUrl &&
    patch.apiKey === undefined;
  const isEnabledAnew = next.isEnabled && !stored.isEnabled;
  return isSame && !isEnabledAnew ? next : { ...next, degradedReason: null, degradedAt: null };
}
