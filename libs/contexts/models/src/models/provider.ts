/** Provider of a model. `generic_compatible` is any OpenAI-compatible service. */
export const MODEL_PROVIDERS = ['openai', 'anthropic', 'generic_compatible'] as const;

export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/**
 * API with which a model is called: a route for one family cannot call a model of the other family, since requests are
 * not translated.
 */
export type ModelFamily = 'openai' | 'anthropic';

export function familyOf(provider: ModelProvider): ModelFamily {
  return provider === 'anthropic' ? 'anthropic' : 'openai';
}
