import type { Factor, ModelPrice, PriceSource, Rate, Rates, TokenCounts } from '../price.ts';
import { fromPico } from '@steward/money';
import { cleanCount, splitDrawing, splitInput, splitOutput } from './token-parts.ts';

/**
 * Assumed number of bytes of a request body per token, including JSON syntax. The average is 4 for prose, and about 3
 * for code and Chinese text.
 */
const BYTES_PER_TOKEN = 3.5;
/** Factor that converts micro-dollars per thousand to 10^-12 dollars per item. */
const PICO_OF_ONE = 1000n;
const STANDARD: Factor = [1, 1];
/**
 * Price of a search if the catalog has none: micro-dollars per thousand, in the range of the more expensive known
 * prices.
 */
const USUAL_SEARCH = 10_000_000;

export interface CallCost {
  /** Cost in US dollars as a decimal string, exact to 10^-12; null if the price is unknown. */
  readonly costUsd: string | null;
  readonly source: PriceSource;
}

/**
 * Returns the cost of a call, as far as it is known: the account's own prices take precedence, then the cost that the
 * provider reports, then the catalog. Counts come from providers: an invalid count is treated as missing, and the
 * tokens of one kind cannot exceed the total.
 */
export function chargeOf(price: ModelPrice, counts: TokenCounts): CallCost {
  const { providerCostUsd } = counts;
  if (price.source !== 'custom' && providerCostUsd !== undefined) {
    return { costUsd: providerCostUsd, source: 'provider' };
  }
  return { costUsd: price.rates === null ? null : fromPico(sumUp(price.rates, counts)), source: price.source };
}

/**
 * Returns only the cost of a call, without its source (see `chargeOf`).
 * @returns US dollars as a decimal string; null if the price is unknown
 */
export function costOf(price: ModelPrice, counts: TokenCounts): string | null {
  return chargeOf(price, counts).costUsd;
}

function sumUp(rates: Rates, counts: TokenCounts): bigint {
  const input = cleanCount(counts.inputTokens);
  const tokens = sumParts(splitInput(rates, counts), input) + sumParts(splitOutput(rates, counts), input);
  const [numerator, denominator] = multiply(findTier(rates, counts.tier), findRegion(rates, counts.region));
  const single =
    BigInt(cleanCount(counts.searches)) * BigInt(rates.searches ?? USUAL_SEARCH) +
    BigInt(cleanCount(counts.fileSearches)) * BigInt(rates.fileSearches ?? USUAL_SEARCH) +
    BigInt(rates.requests ?? 0);
  // Fractions of the smallest unit are rounded up.
  const charged = (tokens * numerator + denominator - 1n) / denominator;
  return charged + sumParts(splitDrawing(rates, counts), 0) + single * PICO_OF_ONE;
}

/**
 * Returns the cost of parts of a call in 10^-12 dollars.
 * @param input - number of input tokens, on which prices may depend
 */
function sumParts(parts: readonly (readonly [Rate, number])[], input: number): bigint {
  let sum = 0n;
  // Counts of zero are skipped, because most calls have tokens of two kinds only.
  for (const [rate, count] of parts) if (count > 0) sum += BigInt(rateAt(rate, input)) * BigInt(count);
  return sum;
}

function multiply(one: Factor, other: Factor): readonly [bigint, bigint] {
  return [BigInt(one[0]) * BigInt(other[0]), BigInt(one[1]) * BigInt(other[1])];
}

function findRegion({ regions = {} }: Rates, region: string | undefined): Factor {
  return (region !== undefined && Object.hasOwn(regions, region) ? regions[region] : undefined) ?? STANDARD;
}

function findTier({ tiers = {} }: Rates, tier: string | undefined): Factor {
  return (tier !== undefined && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined) ?? STANDARD;
}

export interface ExpectedCall {
  /** Size of the request body, in bytes. */
  readonly inputBytes: number;
  /** Minimum number of input tokens, set if the body does not contain the whole input. */
  readonly leastInputTokens?: number;
  /** Maximum number of output tokens that the client requested; undefined if it requested no limit. */
  readonly maxOutputTokens: number | undefined;
  /** Number of output tokens that is assumed if the client requested no limit. */
  readonly defaultOutputTokens: number;
  /** True if the request names a tier that may cost more than the standard one. */
  readonly isDearerTier?: boolean;
  /** True if the call names the regions that may process it. */
  readonly isRegional?: boolean;
  /** Lifetime of the cache entries that the request asks for; undefined if unknown. */
  readonly cache?: 'none' | 'short' | 'long';
  /** Number of completions, each of which may reach the maximum length. */
  readonly answers?: number;
}

/** Returns the size of a request with this number of tokens. */
export function bytesOf(tokens: number): number {
  return Math.ceil(tokens * BYTES_PER_TOKEN);
}

/** Returns an estimate of the number of input tokens of a call, and the maximum number of its output tokens. */
export function estimateTokens(
  { inputBytes, maxOutputTokens, defaultOutputTokens, answers = 1 }: ExpectedCall,
  model: { readonly maxOutputTokens: number | null },
): { readonly inputTokens: number; readonly outputTokens: number } {
  const longest = Math.min(cleanCount(maxOutputTokens ?? defaultOutputTokens), model.maxOutputTokens ?? Infinity);
  return {
    inputTokens: Math.ceil(cleanCount(inputBytes) / BYTES_PER_TOKEN),
    outputTokens: cleanCount(longest * answers),
  };
}

/**
 * Returns the maximum cost of a call, based on `estimateTokens`: it is assumed that nothing is read from a cache, and
 * that all tokens are of the most expensive kind of the model. Searches, and images that a tool of the provider
 * generates, are not included. Returns null if the price is unknown.
 */
export function worstCost(
  call: ExpectedCall,
  model: { readonly maxOutputTokens: number | null; readonly price: ModelPrice },
): string | null {
  const { rates } = model.price;
  if (rates === null) return null;
  const { inputTokens: inBody, outputTokens } = estimateTokens(call, model);
  const inputTokens = Math.max(inBody, call.leastInputTokens ?? 0);
  const { cache = 'short' } = call;
  const written = { none: undefined, short: rates.cacheWrite, long: rates.longCacheWrite }[cache];
  const input = findDearest([rates.input, written, rates.inputAudio, rates.inputImage], inputTokens);
  const output = findDearest([rates.output, rates.outputAudio, rates.outputImage, rates.reasoning], inputTokens);
  const pico = BigInt(input) * BigInt(inputTokens) + BigInt(output) * BigInt(outputTokens);
  const tier = BigInt(call.isDearerTier === true ? findDearestFactor(rates.tiers, 1) : 1);
  const percent = BigInt(call.isRegional === true ? findDearestFactor(rates.regions, 100) : 100);
  return fromPico((pico * tier * percent + 99n) / 100n + BigInt(rates.requests ?? 0) * PICO_OF_ONE);
}

/**
 * Returns the highest factor in units of 1/`parts`, rounded up; the result is at least `parts`, which is a factor of 1.
 */
function findDearestFactor(factors: Readonly<Record<string, Factor>> = {}, parts: number): number {
  return Math.max(
    parts,
    ...Object.values(factors).map(([numerator, denominator]) => Math.ceil((numerator * parts) / denominator)),
  );
}

function findDearest(rates: readonly (Rate | undefined)[], inputTokens: number): number {
  return Math.max(...rates.map((rate) => (rate === undefined ? 0 : rateAt(rate, inputTokens))));
}

function rateAt({ base, tiers }: Rate, inputTokens: number): number {
  return tiers?.findLast(({ above }) => inputTokens > above)?.rate ?? base;
}
