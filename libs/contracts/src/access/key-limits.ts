/** Limits on the calls and tokens of an API key, per minute and per day (UTC). */
export const CALL_LIMITS = ['calls_per_minute', 'calls_per_day', 'tokens_per_minute', 'tokens_per_day'] as const;

export type CallLimit = (typeof CALL_LIMITS)[number];

/**
 * Limits of the model calls of an API key; null means no limit. The object contains only JSON values, so that it can be
 * stored as JSON.
 */
export type ModelLimits = {
  /** Aliases of the models that the key may call; null for all. */
  readonly models: readonly string[] | null;
} & { readonly [Name in CallLimit]: number | null };

/** The limits and the key to which they belong: a key is also subject to the limits of the keys that created it. */
export type KeyLimits = ModelLimits & { readonly api_key_id: string };

/** Returns whether all of the limits allow the model; the numbers of calls and tokens are not checked. */
export function mayCallModel(limits: readonly KeyLimits[] | undefined, alias: string): boolean {
  return (limits ?? []).every(({ models }) => models === null || models.includes(alias));
}
