import { costOfTokens, fromPico, toPico } from '@steward/money';

/** US dollars per million tokens, by model; `default` applies to every model that is not listed. */
export type PriceMap = Readonly<Record<string, number>>;

/**
 * Number of decimal places of the cost columns (`numeric(18, 10)`). The smallest amount that they can store is 1/200 of
 * the price of one token of the cheapest known model.
 */
const DECIMALS = 10;
const PICO_OF_STEP = 100n;
/**
 * Percentage of a cap that is reserved for search queries: embedding the corpus on a busy day must not disable semantic
 * search.
 */
const SHARE_OF_QUERIES = 2n;

/** Parses a JSON object that maps models to prices. @throws for any other value */
export function parsePriceMap(text: string): PriceMap {
  let prices: unknown;
  try {
    prices = JSON.parse(text);
  } catch {
    throw new Error('must be a JSON object such as {"text-embedding-3-small": 0.02, "default": 0.1}');
  }
  if (typeof prices !== 'object' || prices === null || Array.isArray(prices)) {
    throw new Error('must be a JSON object of models and their prices');
  }
  for (const [model, price] of Object.entries(prices)) {
    if (typeof price !== 'number' || !(price >= 0) || price > 1000) {
      throw new Error(`the price of "${model}" must be a number from 0 to 1000`);
    }
  }
  return prices as PriceMap;
}

/** Returns the price of a model in US dollars per million tokens; undefined if it is unknown. */
export function priceOf(prices: PriceMap, model: string): number | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  return Object.hasOwn(prices, 'default') ? prices['default'] : undefined;
}

/** Returns the cost of a number of tokens in US dollars, rounded up to the resolution of a column. */
export function costOf(tokens: number, pricePerMtok: number): number {
  return cutOff(costOfTokens(tokens, pricePerMtok) + PICO_OF_STEP - 1n);
}

/** Returns the part of a cap that is available for embedding the corpus. */
export function capForCorpus(capUsd: number): number {
  return cutOff((toPico(capUsd.toFixed(DECIMALS)) * (100n - SHARE_OF_QUERIES)) / 100n);
}

/** Returns the sum of amounts, exact to the resolution of a column. */
export function sumUsd(amounts: readonly number[]): number {
  return cutOff(amounts.reduce((sum, usd) => sum + toPico(usd.toFixed(DECIMALS)), 0n));
}

function cutOff(pico: bigint): number {
  return Number(fromPico(pico - (pico % PICO_OF_STEP)));
}
