import type { ModelPrice, Rate, Rates, TokenCounts } from '../price.ts';
import { fromPicoUsd } from './decimal.ts';

/** A token for so many bytes of a request, its JSON included: prose has 4, code and Chinese about 3. */
const BYTES_PER_TOKEN = 3.5;
/** What a column holds at the highest price. */
const MOST_TOKENS = 1_000_000_000;

/**
 * What a call cost in dollars, exactly, as decimal text; null when the price is unknown. Counts are what providers say: one that
 * is no count is taken for none, and no more tokens are cached than there are.
 */
export function costOf(price: ModelPrice, counts: TokenCounts): string | null {
  if (price.rates === null) return null;
  const { rates } = price;
  const input = cleanCount(counts.inputTokens);
  const cached = Math.min(cleanCount(counts.cachedInputTokens), input);
  const written = Math.min(cleanCount(counts.cacheWriteTokens), input - cached);
  const writtenLong = Math.min(cleanCount(counts.longCacheWriteTokens), written);
  const parts: readonly (readonly [Rate, number])[] = [
    [rates.input, input - cached - written],
    [rates.cachedInput, cached],
    [rates.cacheWrite, written - writtenLong],
    [rates.longCacheWrite, writtenLong],
    [rates.output, cleanCount(counts.outputTokens)],
  ];
  const pico = parts.reduce((sum, [rate, tokens]) => sum + BigInt(rateAt(rate, input)) * BigInt(tokens), 0n);
  return fromPicoUsd(pico);
}

export interface ExpectedCall {
  /** Of the request's body. */
  readonly inputBytes: number;
  /** Where the body does not hold all that is read. */
  readonly leastInputTokens?: number;
  /** What the client asked for at most; undefined when it did not say. */
  readonly maxOutputTokens: number | undefined;
  /** For a client that did not say. */
  readonly defaultOutputTokens: number;
  /** Each may be as long as the model writes. */
  readonly answers?: number;
}

/** Tokens a call may take at most, estimated before it. */
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

/** What a call may cost at most, as `estimateTokens` sees it, nothing of it cached and all of it written to a cache; null when the price is unknown. */
export function worstCost(
  call: ExpectedCall,
  model: { readonly maxOutputTokens: number | null; readonly price: ModelPrice },
): string | null {
  const { rates } = model.price;
  if (rates === null) return null;
  const { inputTokens: inBody, outputTokens } = estimateTokens(call, model);
  const inputTokens = Math.max(inBody, call.leastInputTokens ?? 0);
  const cacheWriteTokens = isDearer(rates, inputTokens) ? inputTokens : 0;
  return costOf(model.price, { inputTokens, cacheWriteTokens, outputTokens });
}

function isDearer(rates: Rates, inputTokens: number): boolean {
  return rateAt(rates.cacheWrite, inputTokens) > rateAt(rates.input, inputTokens);
}

function rateAt({ base, tiers = [] }: Rate, inputTokens: number): number {
  return tiers.findLast(({ above }) => inputTokens > above)?.rate ?? base;
}

/** As it is counted: a whole number from 0 on, and no larger than any bill. */
export function cleanCount(count: number | undefined): number {
  return count !== undefined && count > 0 ? Math.min(Math.trunc(count), MOST_TOKENS) : 0;
}
