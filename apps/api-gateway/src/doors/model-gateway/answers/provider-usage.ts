import type { TokenCounts } from '@steward/slice-models';

/** What a provider counts of a call, by the names of its API; parts may come one after the other. */
export type ProviderUsage = Readonly<Record<string, unknown>>;

/** Counts as far as they are there: undefined for one that is missing, or is no count. */
export type SeenCounts = { readonly [Key in keyof TokenCounts]: TokenCounts[Key] | undefined };

/** A later part replaces what it names; null says nothing. */
export function mergeUsage(usage: ProviderUsage | undefined, json: string): ProviderUsage | undefined {
  const part = parseObject(json);
  if (part === undefined) return usage;
  return { ...usage, ...Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null)) };
}

/** Of chat, responses and embeddings: the input holds what was cached. */
export function countOpenAi(usage: ProviderUsage): SeenCounts {
  const details = usage['input_tokens_details'] ?? usage['prompt_tokens_details'];
  return {
    inputTokens: readCount(usage['input_tokens'] ?? usage['prompt_tokens']),
    cachedInputTokens: readCount(readField(details, 'cached_tokens')),
    outputTokens: readCount(usage['output_tokens'] ?? usage['completion_tokens']),
  };
}

/** Of messages: what was read from and written to the cache is counted beside the input. */
export function countAnthropic(usage: ProviderUsage): SeenCounts {
  const fresh = readCount(usage['input_tokens']);
  const cachedInputTokens = readCount(usage['cache_read_input_tokens']) ?? 0;
  const cacheWriteTokens = readCount(usage['cache_creation_input_tokens']) ?? 0;
  return {
    inputTokens: fresh === undefined ? undefined : fresh + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    longCacheWriteTokens: readCount(readField(usage['cache_creation'], 'ephemeral_1h_input_tokens')),
    outputTokens: readCount(usage['output_tokens']),
  };
}

/** No model reads or writes more in a call: what is counted beyond is a mistake, and would use up a year's budget at once. */
const MOST_TOKENS = 20_000_000;

function readCount(value: unknown): number | undefined {
  const isCount = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
  return isCount ? (value as number) : undefined;
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
