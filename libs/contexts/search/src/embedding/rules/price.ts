/** US dollars per million tokens, by model; `default` applies to every unlisted model. */
export type PriceMap = Readonly<Record<string, number>>;

const TOKENS_PER_PRICE = 1_000_000;
/** Resolution of the columns: ten decimals, a two-hundredth of the cheapest token. */
const STEPS_PER_USD = 10_000_000_000;
/** Part of a cap for search queries: embedding the corpus on a busy day must not disable semantic search. */
const SHARE_OF_QUERIES = 0.02;

/** Parses a JSON object of model and price. @throws for anything else */
export function parsePriceMap(text: string): PriceMap {
  let prices: unknown;
  try {
    prices = JSON.parse(text);
  } catch {
    throw new Error('must be a JSON object like {"text-embedding-3-small": 0.02, "default": 0.1}');
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

/** US dollars per million tokens; undefined if the price is unknown. */
export function priceOf(prices: PriceMap, model: string): number | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  return Object.hasOwn(prices, 'default') ? prices['default'] : undefined;
}

/** US dollars for a number of tokens, rounded up to the resolution of a column. */
export function costOf(tokens: number, pricePerMtok: number): number {
  // First rounded to a few more digits: 0.1 + 0.2 must not cost a step more than 0.3.
  const steps = Number(((tokens * pricePerMtok * STEPS_PER_USD) / TOKENS_PER_PRICE).toPrecision(12));
  return Math.ceil(steps) / STEPS_PER_USD;
}

/** The part of a cap for embedding the corpus. */
export function capForCorpus(capUsd: number): number {
  return Math.floor(Number((capUsd * (1 - SHARE_OF_QUERIES) * STEPS_PER_USD).toPrecision(12))) / STEPS_PER_USD;
}
