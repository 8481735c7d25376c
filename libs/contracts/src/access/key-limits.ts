/** What may be called by an API key, and how much: all of them in minutes and days of UTC. */
export const CALL_LIMITS = ['calls_per_minute', 'calls_per_day', 'tokens_per_minute', 'tokens_per_day'] as const;

export type CallLimit = (typeof CALL_LIMITS)[number];

/** Limits of the model calls of an API key; null is none. Plain JSON: it is stored as it is. */
export type ModelLimits = {
  /** Aliases. */
  readonly models: readonly string[] | null;
} & { readonly [Name in CallLimit]: number | null };

/** The same with the key that has them: a key is within the limits of those that made it, too. */
export type KeyLimits = ModelLimits & { readonly api_key_id: string };

/** Whether all limits let the model be called. */
export function mayCallModel(limits: readonly KeyLimits[] | undefined, alias: string): boolean {
  return (limits ?? []).every(({ models }) => models === null || models.includes(alias));
}
