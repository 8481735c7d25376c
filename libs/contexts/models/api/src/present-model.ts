import type { AnswerBody } from '@steward/http';
import { fromMicroUsd } from '@steward/money';
import { findModelPrice, findPriceWarnings, type AiModel, type Rates } from '@steward/models';
import type { ModelAnswer } from './model-schemas.ts';

/** Returns a model as the API presents it, with the prices that apply at `now`, since some depend on the time. */
export function presentModel(model: AiModel, now: Date): AnswerBody<typeof ModelAnswer> {
  const { source, rates } = findModelPrice(model, now);
  return {
    id: model.id,
    alias: model.alias,
    provider: model.provider,
    base_url: model.baseUrl,
    model_identifier: model.modelIdentifier,
    has_api_key: model.hasApiKey,
    prices: {
      input_per_mtok_usd: presentRate(rates, 'input'),
      output_per_mtok_usd: presentRate(rates, 'output'),
      cached_input_per_mtok_usd: presentRate(rates, 'cachedInput'),
    },
    price_source: source,
    max_output_tokens: model.maxOutputTokens,
    fallback_model_ids: [...model.fallbackModelIds],
    is_default: model.isDefault,
    enabled: model.isEnabled,
    warnings: findPriceWarnings(model, now).map(({ field, customUsd, catalogueUsd }) => ({
      code: 'price_differs',
      field: `prices.${field}`,
      message: `The price is ${customUsd} US dollars per million tokens; the catalog price is ${catalogueUsd}. Prices are per million tokens, not per token.`,
    })),
    created_at: model.createdAt,
    updated_at: model.updatedAt,
  };
}

/** Returns the rate in US dollars per million tokens for calls that stay below the threshold for long contexts. */
function presentRate(rates: Rates | null, kind: 'input' | 'output' | 'cachedInput'): number | null {
  return rates === null ? null : Number(fromMicroUsd(rates[kind].base));
}
