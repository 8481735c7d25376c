import type { CustomPrices, ModelPrice, Rates } from '../price.ts';
import { findCatalogueRates, type PricedModel } from './catalogue-price.ts';
import { fromMicroUsd, toMicroUsd } from '@steward/money';
import { listRegions } from './regions.ts';
import { listTiers } from './service-tiers.ts';

/**
 * Factor by which a price must differ from the catalog to cause a warning: a price entered per token instead of per
 * million tokens differs by a factor of a million.
 */
const SUSPICIOUS_FACTOR = 10;

export type PricedFields = PricedModel & { readonly customPrices: CustomPrices | null };

/** Returns the price of a model at a given time: the account's own prices take precedence over the catalog. */
export function findModelPrice(model: PricedFields, at: Date): ModelPrice {
  const rates = findCatalogueRates(model, at);
  if (model.customPrices !== null)
    return { source: 'custom', rates: readCustomRates(model, model.customPrices, rates) };
  return rates === undefined ? { source: 'unknown', rates: null } : { source: 'catalogue', rates };
}

/**
 * Prices of a cache write, and of a cache write with a lifetime of one hour, as fractions of the input price:
 * Anthropic, "Prompt caching", https://docs.claude.com/en/about-claude/pricing.
 */
const WRITES: readonly (readonly [number, number])[] = [
  [5, 4],
  [2, 1],
];

/**
 * Returns the rates of an account's own prices.
 * @param known - rates in the catalog, used for what an account cannot price: audio, image and reasoning tokens,
 *   searches, requests and generated images
 */
function readCustomRates(
  { provider, modelIdentifier }: PricedModel,
  { input, output, cachedInput }: CustomPrices,
  known: Rates | undefined,
): Rates {
  const rate = { base: toMicroUsd(input) };
  const cached = cachedInput === null ? rate : { base: toMicroUsd(cachedInput) };
  const [cacheWrite = rate, longCacheWrite = rate] = (provider === 'anthropic' ? WRITES : []).map(([n, d]) => ({
    base: Math.ceil((rate.base * n) / d),
  }));
  const { input: _input, output: _output, cachedInput: _cached, ...others } = known ?? {};
  const tiers = listTiers(provider, modelIdentifier);
  return {
    ...others,
    ...listRegions(provider),
    tiers,
    input: rate,
    cachedInput: cached,
    cacheWrite,
    longCacheWrite,
    output: { base: toMicroUsd(output) },
  };
}

export interface PriceWarning {
  readonly field: 'input_per_mtok_usd' | 'output_per_mtok_usd' | 'cached_input_per_mtok_usd';
  readonly customUsd: string;
  readonly catalogueUsd: string;
}

/**
 * Warns about account prices that are more than ten times higher or lower than in the catalog (MOD-12). A price of 0 is
 * valid: self-hosted models have no token price.
 */
export function findPriceWarnings(model: PricedFields, at: Date): PriceWarning[] {
  const known = model.customPrices === null ? undefined : findCatalogueRates(model, at);
  if (model.customPrices === null || known === undefined) return [];
  const { input, output, cachedInput } = model.customPrices;
  const pairs = [
    ['input_per_mtok_usd', input, known.input.base],
    ['output_per_mtok_usd', output, known.output.base],
    ['cached_input_per_mtok_usd', cachedInput, known.cachedInput.base],
  ] as const;
  return pairs.flatMap(([field, usd, catalogue]) =>
    usd !== null && isFarOff(toMicroUsd(usd), catalogue)
      ? [{ field, customUsd: usd, catalogueUsd: fromMicroUsd(catalogue) }]
      : [],
  );
}

function isFarOff(custom: number, catalogue: number): boolean {
  if (custom === 0 || catalogue === 0) return false;
  return custom > catalogue * SUSPICIOUS_FACTOR || catalogue > custom * SUSPICIOUS_FACTOR;
}
