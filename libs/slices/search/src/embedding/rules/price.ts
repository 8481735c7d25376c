/** US dollars per million tokens, by model; `default` is that of every model that is not named. */
export type PriceMap = Readonly<Record<string, number>>;

const TOKENS_PER_PRICE = 1_000_000;
/** What the columns hold: ten decimals, a two-hundredth of the cheapest token. */
const STEPS_PER_USD = 10_000_000_000;
/** Of a cap, for the queries of people who search: the corpus of a busy day must not switch searching by meaning off at noon. */
const SHARE_OF_QUERIES = 0.02;

/** Reads a JSON object of model and price. @throws for anything else */
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

/** US dollars per million tokens; undefined where nobody said what the model costs. */
export function priceOf(prices: PriceMap, model: string): number | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  return Object.hasOwn(prices, 'default') ? prices['default'] : undefined;
}

/** US dollars for so many tokens, rounded up to what a column holds. */
export function costOf(tokens: number, pricePerMtok: number): number {
  // Rounded to a few digits more first: 0.1 + 0.2 must not cost a step more than 0.3.
  const steps = Number(((tokens * pricePerMtok * STEPS_PER_USD) / TOKENS_PER_PRICE).toPrecision(12));
  return Math.ceil(steps) / STEPS_PER_USD;
}

/** What embedding a corpus may take of a cap. */
export function capForCorpus(capUsd: number): number {
  return Math.floor(Number((capUsd * (1 - SHARE_OF_QUERIES) * STEPS_PER_USD).toPrecision(12))) / STEPS_PER_USD;
}
