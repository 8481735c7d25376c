/** Where the price of a call comes from; `unknown` costs nobody knows what. */
export const PRICE_SOURCES = ['catalogue', 'custom', 'unknown'] as const;

export type PriceSource = (typeof PRICE_SOURCES)[number];

/** US dollars per million tokens as decimal text with at most six decimals: `2.5`. */
export type UsdPerMtok = string;

/** Prices an account sets itself. */
export interface CustomPrices {
  readonly input: UsdPerMtok;
  readonly output: UsdPerMtok;
  /** Null: cached tokens cost as much as others. */
  readonly cachedInput: UsdPerMtok | null;
}

/**
 * The price of one kind of token in micro-dollars per million, which is 10^-12 dollars per token: a whole number, so that no
 * cost is ever rounded. From a number of input tokens on it may be another, for all tokens of the call.
 */
export interface Rate {
  readonly base: number;
  /** In ascending order; the last whose `above` the call passes counts. */
  readonly tiers?: readonly { readonly above: number; readonly rate: number }[];
}

export interface Rates {
  readonly input: Rate;
  readonly cachedInput: Rate;
  readonly cacheWrite: Rate;
  /** Of entries kept for an hour. */
  readonly longCacheWrite: Rate;
  readonly output: Rate;
}

/** What a model costs at one moment. Plain JSON: a reservation may keep it. */
export type ModelPrice =
  | { readonly source: Exclude<PriceSource, 'unknown'>; readonly rates: Rates }
  | { readonly source: 'unknown'; readonly rates: null };

/** Tokens of a call as they were counted. */
export interface TokenCounts {
  /** All of them, those read from and written to a cache included. */
  readonly inputTokens: number;
  readonly cachedInputTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** Those of `cacheWriteTokens` that are kept for an hour. */
  readonly longCacheWriteTokens?: number | undefined;
  readonly outputTokens: number;
}
