import { readJson } from '../rules/clean-content.ts';
import { toCount, toFields, type Fields } from '../rules/json-access.ts';
import { readTokens } from '../rules/read-tokens.ts';
import type { TokenCounts } from '../session-item.ts';

/**
 * The attributes in which the conventions and the SDKs give the token counts of a model call; the first existing one is
 * used.
 */
const ATTRIBUTES: Readonly<Record<keyof TokenCounts, readonly string[]>> = {
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cacheReadTokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.details.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
  ],
  cacheWriteTokens: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'gen_ai.usage.details.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ],
  reasoningTokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'llm.usage.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ],
};

/**
 * Attributes that contain the token counts as a JSON object, used for the counts that have no attribute of their own.
 */
const DETAILS = ['langfuse.observation.usage_details', 'mlflow.chat.tokenUsage'];

/** Reads the token counts of a call, in any supported convention. */
export function readSpanTokens(attributes: Fields): TokenCounts {
  const [first, second] = DETAILS.map((name) => readTokens(toFields(readJson(attributes[name]))));
  const counts = Object.entries(ATTRIBUTES).map(([name, keys]) => [
    name,
    toCount(...keys.map((key) => attributes[key])),
  ]);
  const own = Object.fromEntries(counts.filter(([, count]) => count !== undefined)) as TokenCounts;
  return { ...second, ...first, ...own };
}
