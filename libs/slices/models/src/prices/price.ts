/** Where the price of a model comes from; `unknown` costs nobody knows what. */
export const MODEL_PRICE_SOURCES = ['catalogue', 'custom', 'unknown'] as const;

/** Where the cost of a call comes from: `provider` is what its provider says that it took. */
export const PRICE_SOURCES = [...MODEL_PRICE_SOURCES, 'provider'] as const;

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
  /** Of tokens that are sound or pictures, where they are not at the price of the others. */
  readonly inputAudio?: Rate;
  readonly cachedInputAudio?: Rate;
  readonly outputAudio?: Rate;
  readonly inputImage?: Rate;
  readonly cachedInputImage?: Rate;
  readonly outputImage?: Rate;
  /** Of what is thought before an answer. */
  readonly reasoning?: Rate;
  /** Of a thousand, in micro-dollars. */
  readonly searches?: number;
  readonly fileSearches?: number;
  readonly requests?: number;
  /** Of pictures that a tool draws on the way. */
  readonly drawing?: { readonly input: Rate; readonly inputImage: Rate; readonly output: Rate };
  /** Where a call is answered, to what its tokens cost then, in any tier; elsewhere they cost nothing more. */
  readonly regions?: Readonly<Record<string, Factor>>;
  /** What a call is served by, to what its tokens cost then; what is not named costs as much as `standard`. */
  readonly tiers?: Readonly<Record<string, Factor>>;
}

/** A whole number of parts of another: 7 of 4 is 1.75. */
export type Factor = readonly [numerator: number, denominator: number];

/** What a model costs at one moment. Plain JSON: a reservation may keep it. */
export type ModelPrice =
  | { readonly source: 'catalogue' | 'custom'; readonly rates: Rates }
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
  /** Of the input, those that are sound or pictures, and of these the cached ones. */
  readonly inputAudioTokens?: number | undefined;
  readonly cachedInputAudioTokens?: number | undefined;
  readonly inputImageTokens?: number | undefined;
  readonly cachedInputImageTokens?: number | undefined;
  /** Of the output. */
  readonly outputAudioTokens?: number | undefined;
  readonly outputImageTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  /** Of the web, and of stored files. */
  readonly searches?: number | undefined;
  readonly fileSearches?: number | undefined;
  /** Of pictures that a tool of the provider drew, beside all tokens above. */
  readonly drawing?:
    { readonly inputTokens: number; readonly inputImageTokens: number; readonly outputTokens: number } | undefined;
  /** As the provider names where it answered the call. */
  readonly region?: string | undefined;
  /** As the provider names what it served the call by. */
  readonly tier?: string | undefined;
  /** What the provider says that the call cost: US dollars as decimal text. */
  readonly providerCostUsd?: string | undefined;
}
