import { calcPrice, type ModelPrice as CataloguePrice } from '@pydantic/genai-prices';
import type { ModelProvider } from '../../models/provider.ts';
import type { Rate, Rates } from '../price.ts';
import { roundToMicroUsd } from '@steward/money';
import { inRegion, listRegions } from './regions.ts';
import { listTiers } from './service-tiers.ts';

export interface PricedModel {
  readonly provider: ModelProvider;
  readonly baseUrl: string;
  readonly modelIdentifier: string;
}

type CatalogueRate = CataloguePrice[string];

/**
 * Returns the rates of a model at a given time from the catalog of this release; some rates depend on the date or the
 * hour. For the provider `generic_compatible`, the service is recognized by its base URL; if the catalog has no price
 * for the model at this service, the model is recognized by its name only. Returns undefined if the model is not
 * listed.
 */
export function findCatalogueRates(model: PricedModel, at: Date): Rates | undefined {
  const found = findPrice(model, at);
  const { input_mtok: input, output_mtok: output } = found ?? {};
  if (found === undefined || input === undefined) return undefined;
  const write = found['cache_write_mtok'];
  const rates: Rates = {
    input: readRate(input),
    cachedInput: readRate(found['cache_read_mtok'] ?? input),
    cacheWrite: readRate(write ?? input),
    longCacheWrite: readRate(found['cache_write_1h_mtok'] ?? write ?? input),
    // Models that do not generate text, such as embedding models, have no price for output tokens.
    output: output === undefined ? { base: 0 } : readRate(output),
    ...readOtherRates(found),
    ...listRegions(model.provider),
    tiers: listTiers(model.provider, model.modelIdentifier),
    ...(model.provider === 'openai' ? readDrawing(at) : {}),
  };
  return inRegion(rates, model);
}

/**
 * Name of the most expensive model that the image tool of OpenAI may use. Its price is assumed, because responses do
 * not state which model the tool used.
 */
const DRAWS = 'gpt-image-1';

function readDrawing(at: Date): Pick<Rates, 'drawing'> {
  const found = calcPrice({}, DRAWS, { providerId: 'openai', timestamp: at })?.model_price;
  const {
    input_mtok: input,
    input_image_mtok: inputImage = input,
    output_image_mtok: image,
    output_mtok: text,
  } = found ?? {};
  const output = image ?? text;
  if (input === undefined || inputImage === undefined || output === undefined) return {};
  return { drawing: { input: readRate(input), inputImage: readRate(inputImage), output: readRate(output) } };
}

/** Names that the catalog uses for kinds of tokens, by the names in `Rates`. */
const OTHER_TOKENS = {
  inputAudio: 'input_audio_mtok',
  cachedInputAudio: 'cache_audio_read_mtok',
  outputAudio: 'output_audio_mtok',
  inputImage: 'input_image_mtok',
  cachedInputImage: 'cache_image_read_mtok',
  outputImage: 'output_image_mtok',
  reasoning: 'output_reasoning_mtok',
} as const;
const SINGLE = {
  searches: 'web_searches_kcount',
  fileSearches: 'storage_searches_kcount',
  requests: 'requests_kcount',
} as const;

/** Returns the rates of audio, image and reasoning tokens, and the prices of searches and requests. */
function readOtherRates(found: CataloguePrice): Partial<Rates> {
  const tokens = Object.entries(OTHER_TOKENS).flatMap(([name, key]) => {
    const rate = found[key];
    return rate === undefined ? [] : [[name, readRate(rate)]];
  });
  const single = Object.entries(SINGLE).flatMap(([name, key]) => {
    const rate = found[key];
    return rate === undefined ? [] : [[name, readRate(rate).base]];
  });
  return Object.fromEntries([...tokens, ...single]) as Partial<Rates>;
}

function findPrice({ provider, baseUrl, modelIdentifier }: PricedModel, at: Date): CataloguePrice | undefined {
  const ask = (where: { providerId?: string; providerApiUrl?: string }) =>
    // `calcPrice` is called without token counts, because it throws an error if the counts are inconsistent.
    calcPrice({}, modelIdentifier, { ...where, timestamp: at })?.model_price;
  if (provider !== 'generic_compatible') return ask({ providerId: provider });
  return ask({ providerApiUrl: baseUrl }) ?? ask({});
}

function readRate(rate: NonNullable<CatalogueRate>): Rate {
  if (typeof rate === 'number') return { base: roundToMicroUsd(rate) };
  const tiers = rate.tiers.map(({ start, price }) => ({ above: start, rate: roundToMicroUsd(price) }));
  return { base: roundToMicroUsd(rate.base), tiers };
}
