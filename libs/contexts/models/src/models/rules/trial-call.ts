import type { ServedModel } from '../ai-model.ts';
import { familyOf, type ModelFamily } from '../provider.ts';
import { buildProviderUrl } from './provider-url.ts';

const PROMPT = 'Say ok.';
const FEW_TOKENS = 16;
const EMBEDS = /embed/i;

/**
 * Returns whether a model creates embeddings, judging by its name. Chat models refuse embedding requests and vice
 * versa.
 */
export function makesEmbeddings({ modelIdentifier }: Pick<ServedModel, 'modelIdentifier'>): boolean {
  return EMBEDS.test(modelIdentifier);
}

export interface TrialCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Builds a call with a short prompt and few output tokens, in the format of the model's provider. */
export function buildTrialCall(model: ServedModel): TrialCall {
  const { provider, modelIdentifier, apiKey } = model;
  const call = (path: string, headers: Record<string, string>, body: object): TrialCall => ({
    url: buildProviderUrl(model, path),
    headers,
    body: JSON.stringify({ model: modelIdentifier, ...body }),
  });
  const messages = [{ role: 'user', content: PROMPT }];
  const families: Readonly<Record<ModelFamily, () => TrialCall>> = {
    anthropic: () => {
      const headers = { 'anthropic-version': '2023-06-01', ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) };
      return call('/messages', headers, { max_tokens: FEW_TOKENS, messages });
    },
    openai: () => {
      const bearer: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
      if (makesEmbeddings(model)) return call('/embeddings', bearer, { input: PROMPT });
      // Newer OpenAI models refuse the old parameter name; other services may not support the new one.
      const limit = provider === 'openai' ? { max_completion_tokens: FEW_TOKENS } : { max_tokens: FEW_TOKENS };
      return call('/chat/completions', bearer, { ...limit, messages });
    },
  };
  return families[familyOf(provider)]();
}
