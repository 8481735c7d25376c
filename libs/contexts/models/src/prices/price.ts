/** Source of a model's price; `unknown` means that there is no price. */
export const MODEL_PRICE_SOURCES = ['catalogue', 'custom', 'unknown'] as const;

/** Source of a call's cost: `provider` means that the provider reported it. */
export const PRICE_SOURCES = [...MODEL_PRICE_SOURCES, 'provider'] as const;

export type PriceSource = (typeof PRICE_SOURCES)[number];

/** US dollars per million tokens as a decimal string with at most six decimals, for example `2.5`. */
export type UsdPerMtok = string;

/** Prices that an account has set. */
export interface CustomPrices {
  readonly input: UsdPerMtok;
  readonly output: UsdPerMtok;
  /** Price of cached tokens; null if they cost as much as other input tokens. */
  readonly cachedInput: UsdPerMtok | null;
}

/**
 * The price of one kind of token: a whole number of micro-dollars per million tokens. One such unit equals 10^-12
 * dollars per token, so that a price multiplied by a number of tokens is exact. Above a certain number of input tokens,
 * another rate may apply to all tokens of the call.
 */
export interface Rate {
  readonly base: number;
  /** Tiers in ascending order; the last one whose `above` is exceeded by the input of the call applies. */
  readonly tiers?: readonly { readonly above: number; readonly rate: number }[];
}

export interface Rates {
  readonly input: Rate;
  readonly cachedInput: Rate;
  readonly cacheWrite: Rate;
  /** Rate of cache writes with a lifetime of one hour. */
  readonly longCacheWrite: Rate;
  readonly output: Rate;
  /** Rates of audio and image tokens; each is set only if the catalog lists it; otherwise, the rate of text applies. */
  readonly inputAudio?: Rate;
  readonly cachedInputAudio?: Rate;
  readonly outputAudio?: Rate;
  readonly inputImage?: Rate;
  readonly cachedInputImage?: Rate;
  readonly outputImage?: Rate;
  /** Rate of reasoning tokens. */
  readonly reasoning?: Rate;
  /**
   * Price of a thousand web searches, in micro-dollars. The next fields are the prices of a thousand searches of stored
   * files and of a thousand requests.
   */
  readonly searches?: number;
  readonly fileSearches?: number;
  readonly requests?: number;
  /** Rates of images that a tool of the provider generates during the call. */
  readonly drawing?: { readonly input: Rate; readonly inputImage: Rate; readonly output: Rate };
  /**
   * Factors for token prices by the region that processes a call; they apply in every service tier. Other regions have
   * no surcharge.
   */
  readonly regions?: Readonly<Record<string, Factor>>;
  /** Factors for token prices by service tier; a tier that is not listed costs as much as `standard`. */
  readonly tiers?: Readonly<Record<string, Factor>>;
}

/** A factor as a fraction: [7, 4] is 1.75. */
export type Factor = readonly [numerator: number, denominator: number];

/** Price of a model at a specific time. It must be plain JSON, because a reservation may store it. */
export type ModelPrice =
  | { readonly source: 'catalogue' | 'custom'; readonly rates: Rates }
  | { readonly source: 'unknown'; readonly rates: null };

/** Token counts of a call. */
export interface TokenCounts {
  /** Number of input tokens, including cache reads and writes. */
  readonly inputTokens: number;
  readonly cachedInputTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** The part of `cacheWriteTokens` with a lifetime of one hour. */
  readonly longCacheWriteTokens?: number | undefined;
  readonly outputTokens: number;
  /**
   * Number of audio tokens in the input, including cached ones. The next fields count cached audio tokens, image tokens
   * and cached image tokens.
   */
  readonly inputAudioTokens?: number | undefined;
  readonly cachedInputAudioTokens?: number | undefined;
  readonly inputImageTokens?: number | undefined;
  readonly cachedInputImageTokens?: number | undefined;
  /** Audio tokens of the output. */
  readonly outputAudioTokens?: number | undefined;
  readonly outputImageTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  /** Number of web searches; `fileSearches` counts searches of stored files. */
  readonly searches?: number | undefined;
  readonly fileSearches?: number | undefined;
  /** Tokens of images that a tool of the provider generated; they are not included in the tokens above. */
  readonly drawing?:
    { readonly inputTokens: number; readonly inputImageTokens: number; readonly outputTokens: number } | undefined;
  /** Region in which the provider processed the call, as the provider names it. */
  readonly region?: string | undefined;
  /** Tier in which the provider served the call, as the provider names it; `fast` for Anthropic's fast mode. */
  readonly tier?: string | undefined;
  /** Cost that the provider reports: US dollars as a decimal string. */
  readonly providerCostUsd?: string | undefined;
}
