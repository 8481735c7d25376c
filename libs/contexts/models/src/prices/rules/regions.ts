import type { ModelProvider } from '../../models/provider.ts';
import type { Factor, Rate, Rates } from '../price.ts';

const TENTH_MORE: Factor = [11, 10];
/**
 * Factors for token prices by the region that a response names: Anthropic, "Data residency",
 * https://platform.claude.com/docs/en/manage-claude/data-residency.
 */
const REGIONS: Partial<Record<ModelProvider, Rates['regions']>> = { anthropic: { us: TENTH_MORE } };

export function listRegions(provider: ModelProvider): Pick<Rates, 'regions'> {
  const regions = REGIONS[provider];
  return regions === undefined ? {} : { regions };
}

/**
 * Matches the hosts of regional services: https://developers.openai.com/api/docs/guides/data-residency,
 * https://docs.x.ai/developers/advanced-api-usage/regions.
 */
const REGIONAL_HOST = /^[a-z]{2}\.api\.(?:openai\.com|x\.ai)$/;
/** Matches OpenAI models from before March 2026, which cost the same in all regions. */
const SAME_EVERYWHERE =
  /^(?:gpt-3|gpt-4|gpt-5(?:\.[0-3])?(?:-|$)|o[134](?:-|$)|chatgpt-4o|text-embedding|gpt-(?:audio|realtime|image-1)|codex-mini|computer-use)/;

/** Returns the catalog's rates, with a surcharge for a service that processes calls in one region. */
export function inRegion(
  rates: Rates,
  { baseUrl, modelIdentifier }: { baseUrl: string; modelIdentifier: string },
): Rates {
  if (!isRegional(baseUrl) || SAME_EVERYWHERE.test(modelIdentifier)) return rates;
  const dearer = Object.entries(rates).map(([name, value]) => [name, isRate(value) ? scale(value, TENTH_MORE) : value]);
  return Object.fromEntries(dearer) as Rates;
}

function isRegional(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && REGIONAL_HOST.test(new URL(baseUrl).hostname);
}

function isRate(value: unknown): value is Rate {
  return typeof value === 'object' && value !== null && 'base' in value;
}

function scale({ base, tiers }: Rate, [numerator, denominator]: Factor): Rate {
  const of = (rate: number): number => Math.ceil((rate * numerator) / denominator);
  return { base: of(base), ...(tiers && { tiers: tiers.map(({ above, rate }) => ({ above, rate: of(rate) })) }) };
}
