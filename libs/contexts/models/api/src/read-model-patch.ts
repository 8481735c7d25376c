import type { Static } from '@sinclair/typebox';
import type { AiModelPatch } from '@steward/models';
import type { UpdateModelBody } from './model-schemas.ts';

type Body = Static<typeof UpdateModelBody>;

/** Returns the body as the context expects it: fields that are missing remain undefined. */
export function readModelPatch(body: Body): AiModelPatch {
  return {
    alias: body.alias,
    provider: body.provider,
    baseUrl: body.base_url,
    modelIdentifier: body.model_identifier,
    apiKey: body.api_key === null ? '' : body.api_key,
    customPrices: readPrices(body.prices),
    maxOutputTokens: body.max_output_tokens,
    fallbackModelIds: body.fallback_model_ids,
    isDefault: body.is_default,
    isEnabled: body.enabled,
  };
}

/** Returns the prices as strings that have the same values as the JSON numbers. */
function readPrices(prices: Body['prices']): AiModelPatch['customPrices'] {
  if (prices === null || prices === undefined) return prices;
  const { input_per_mtok_usd: input, output_per_mtok_usd: output, cached_input_per_mtok_usd: cached } = prices;
  const cachedInput = cached === null || cached === undefined ? null : String(cached);
  return { input: String(input), output: String(output), cachedInput };
}

/** Returns the fields that were sent, with `api_key_changed` instead of the key itself. */
export function describeModelChange({ api_key: apiKey, ...rest }: Body): Record<string, unknown> {
  return { ...rest, ...(apiKey === undefined ? {} : { api_key_changed: true }) };
}
