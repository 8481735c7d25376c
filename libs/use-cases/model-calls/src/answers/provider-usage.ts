import type { TokenCounts } from '@steward/models';

/**
 * Usage of a call as reported by a provider, under the names of its API; parts of it may arrive one after the other.
 */
export type ProviderUsage = Readonly<Record<string, unknown>>;

/** Counts that are present; a count that is missing or invalid is undefined. */
export type SeenCounts = { readonly [Key in keyof TokenCounts]: TokenCounts[Key] | undefined };

const INPUT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'prompt_tokens'];

/**
 * Merges the parts of a usage report. A later part replaces the values it contains. Null is ignored; input counts of
 * zero in a later part are ignored if that part has no other input count.
 */
export function mergeUsage(usage: ProviderUsage | undefined, json: string): ProviderUsage | undefined {
  const part = parseObject(json);
  if (part === undefined) return usage;
  const isEmpty = usage !== undefined && !INPUT_COUNTS.some((name) => part[name]);
  const merged: Record<string, unknown> = { ...usage };
  for (const name of Object.keys(part)) {
    const value = part[name];
    // Assigning this member would set the prototype, whose counts would then be read as well.
    if (name === '__proto__') continue;
    if (value !== null && !(isEmpty && value === 0 && INPUT_COUNTS.includes(name))) merged[name] = value;
  }
  return merged;
}

/**
 * Returns the counts of the chat, responses and embeddings APIs: input includes cached tokens, output usually includes
 * reasoning.
 */
export function countOpenAi(usage: ProviderUsage): SeenCounts {
  const inputDetails = usage['input_tokens_details'] ?? usage['prompt_tokens_details'];
  const outputDetails = usage['output_tokens_details'] ?? usage['completion_tokens_details'];
  const cachedDetails = readField(inputDetails, 'cached_tokens_details');
  const cached = readField(inputDetails, 'cached_tokens') ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'];
  const of = (details: unknown, name: string): number | undefined => readCount(readField(details, name));
  const written = of(inputDetails, 'cache_write_tokens') ?? of(inputDetails, 'cache_creation_tokens');
  return dropUnknown({
    inputTokens: readCount(usage['input_tokens'] ?? usage['prompt_tokens']),
    cachedInputTokens: readCount(cached),
    cacheWriteTokens: written,
    outputTokens: countOutput(usage, of(outputDetails, 'reasoning_tokens') ?? 0),
    inputAudioTokens: of(inputDetails, 'audio_tokens'),
    inputImageTokens: of(inputDetails, 'image_tokens'),
    cachedInputAudioTokens: of(cachedDetails, 'audio_tokens'),
    cachedInputImageTokens: of(cachedDetails, 'image_tokens'),
    outputAudioTokens: of(outputDetails, 'audio_tokens'),
    outputImageTokens: of(outputDetails, 'image_tokens'),
    reasoningTokens: of(outputDetails, 'reasoning_tokens'),
    searches: readCount(usage['num_sources_used']) ?? readCount(usage['num_search_queries']),
    providerCostUsd: readCost(usage),
  });
}

/**
 * Returns the output including reasoning. Some providers do not count reasoning as output; in this case, only the total
 * includes the reasoning. With 32 input, 9 output and 135 total tokens, 94 tokens were reasoning.
 */
function countOutput(usage: ProviderUsage, reasoning: number): number | undefined {
  const written = readCount(usage['output_tokens'] ?? usage['completion_tokens']);
  const input = readCount(usage['input_tokens'] ?? usage['prompt_tokens']);
  const total = readCount(usage['total_tokens']);
  if (written === undefined || input === undefined || total === undefined) return written;
  const beside = total - input - written;
  return beside > 0 && (reasoning === 0 || beside === reasoning) ? written + beside : written;
}

/**
 * Returns the counts of the messages API. The API reports the tokens read from and written to the cache separately from
 * the input; the returned input includes them.
 */
export function countAnthropic(usage: ProviderUsage): SeenCounts {
  const { service_tier: service, inference_geo: region } = usage;
  const whole = countTokens(usage);
  const beside = listBeside(usage['iterations']).map(countTokens);
  const sum = (name: keyof MessageTokens): number =>
    beside.reduce((all, each) => all + (each[name] ?? 0), whole[name] ?? 0);
  const tier = usage['speed'] === 'fast' ? 'fast' : service;
  const isLongKnown = [whole, ...beside].some(({ longCacheWriteTokens: count }) => count !== undefined);
  return dropUnknown({
    inputTokens: whole.inputTokens === undefined ? undefined : sum('inputTokens'),
    cachedInputTokens: sum('cachedInputTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    longCacheWriteTokens: isLongKnown ? sum('longCacheWriteTokens') : undefined,
    outputTokens: whole.outputTokens === undefined ? undefined : sum('outputTokens'),
    searches: readCount(readField(usage['server_tool_use'], 'web_search_requests')),
    tier: typeof tier === 'string' ? tier : undefined,
    region: typeof region === 'string' ? region : undefined,
    providerCostUsd: readCost(usage),
  });
}

type MessageTokens = Pick<
  SeenCounts,
  'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'longCacheWriteTokens' | 'outputTokens'
>;

function countTokens(usage: unknown): MessageTokens {
  const of = (name: string): number | undefined => readCount(readField(usage, name));
  const fresh = of('input_tokens');
  const cachedInputTokens = of('cache_read_input_tokens') ?? 0;
  const cacheWriteTokens = of('cache_creation_input_tokens') ?? 0;
  return {
    inputTokens: fresh === undefined ? undefined : fresh + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    longCacheWriteTokens: readCount(readField(readField(usage, 'cache_creation'), 'ephemeral_1h_input_tokens')),
    outputTokens: of('output_tokens'),
  };
}

/**
 * Kinds of turns that are billed but not included in the totals of a response: the summary of a long conversation and
 * the text of an adviser.
 */
const BESIDE: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

function listBeside(iterations: unknown): readonly unknown[] {
  if (!Array.isArray(iterations)) return [];
  return (iterations as unknown[]).filter((turn) => BESIDE.has(readField(turn, 'type')));
}

/**
 * Counts the usage of provider tools in a response: billed searches, and the tokens of images, which the token counts
 * of the response do not include.
 */
export function countToolUsage(json: string): Pick<SeenCounts, 'searches' | 'drawing'> {
  const said = parseObject(json);
  const searches = readCount(readField(said?.['web_search'], 'num_requests'));
  const drawn = said?.['image_gen'];
  const outputTokens = readCount(readField(drawn, 'output_tokens'));
  const inputTokens = readCount(readField(drawn, 'input_tokens')) ?? 0;
  const inputImageTokens = readCount(readField(readField(drawn, 'input_tokens_details'), 'image_tokens')) ?? 0;
  return {
    ...(searches === undefined ? {} : { searches }),
    ...(outputTokens === undefined ? {} : { drawing: { inputTokens, inputImageTokens, outputTokens } }),
  };
}

/** Number of ticks of xAI in a US dollar: https://docs.x.ai/docs/key-information/consumption-and-rate-limits. */
const TICKS_PER_USD = 1e10;
/** Maximum cost of a call, in US dollars; a higher reported cost is considered an error, and is ignored. */
const MOST_USD = 100_000;
const DECIMALS = 12;

/**
 * Returns the cost of the call that a provider reports, in US dollars: `cost` (OpenRouter; including the upstream cost
 * if the account uses its own key), `cost.total_cost` (Perplexity), `estimated_cost` (DeepInfra), `cost_in_usd_ticks`
 * (xAI).
 */
function readCost(usage: ProviderUsage): string | undefined {
  const { cost, is_byok: isOwnKey, cost_details: details, cost_in_usd_ticks: ticks } = usage;
  const upstream = isOwnKey === true ? readField(details, 'upstream_inference_cost') : undefined;
  const said = readField(cost, 'total_cost') ?? cost ?? usage['estimated_cost'];
  const usd = typeof ticks === 'number' ? ticks / TICKS_PER_USD : said;
  if (typeof usd !== 'number' || usd < 0) return undefined;
  const sum = usd + (typeof upstream === 'number' && upstream >= 0 ? upstream : 0);
  if (!(sum <= MOST_USD)) return undefined;
  return sum.toFixed(DECIMALS).replace(/\.?0+$/, '');
}

/**
 * Removes undefined members except the input and output counts: when counts are merged, an undefined member would
 * override a defined one.
 */
function dropUnknown(counts: SeenCounts): SeenCounts {
  const known: Record<string, unknown> = { inputTokens: counts.inputTokens, outputTokens: counts.outputTokens };
  for (const name of Object.keys(counts) as (keyof SeenCounts)[])
    if (counts[name] !== undefined) known[name] = counts[name];
  return known as SeenCounts;
}

/**
 * Maximum number of tokens of a call: no model reads or writes more. A larger count is considered an error, and is
 * ignored: it would use up a whole year's budget at once.
 */
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
