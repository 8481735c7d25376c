import type { TokenCounts } from '../session-item.ts';
import { toCount, toFields, type Fields } from './json-access.ts';

/**
 * Reads the token counts of one response, under the names that providers and agents use. They are stored as counted by
 * the source: for OpenAI, Codex and Gemini CLI the cached tokens are part of the input; for Anthropic, Claude Code and
 * OpenCode they are separate.
 */
export function readTokens(usage: Fields): TokenCounts {
  const input = toFields(
    usage['input_tokens_details'] ?? usage['prompt_tokens_details'] ?? usage['input_token_details'],
  );
  const output = toFields(
    usage['output_tokens_details'] ?? usage['completion_tokens_details'] ?? usage['output_token_details'],
  );
  const [sdkInput, sdkOutput] = [toFields(usage['inputTokenDetails']), toFields(usage['outputTokenDetails'])];
  const cache = toFields(usage['cache']);
  const counts: TokenCounts = {
    inputTokens: toCount(
      usage['input_tokens'],
      usage['prompt_tokens'],
      usage['inputTokens'],
      usage['promptTokens'],
      usage['input'],
    ),
    outputTokens: toCount(
      ...[usage['output_tokens'], usage['completion_tokens'], usage['outputTokens'], usage['completionTokens']],
      usage['output'],
    ),
    cacheReadTokens: toCount(
      ...[usage['cache_read_input_tokens'], usage['cached_input_tokens'], input['cached_tokens'], input['cache_read']],
      ...[cache['read'], usage['cached'], usage['cachedInputTokens'], sdkInput['cacheReadTokens']],
      usage['input_cached_tokens'],
    ),
    cacheWriteTokens: toCount(
      ...[usage['cache_creation_input_tokens'], usage['cache_write_input_tokens'], input['cache_write_tokens']],
      ...[input['cache_creation'], cache['write'], sdkInput['cacheWriteTokens']],
    ),
    reasoningTokens: toCount(
      ...[usage['reasoning_output_tokens'], output['reasoning_tokens'], output['thinking_tokens'], output['reasoning']],
      ...[usage['thoughts'], usage['reasoning'], usage['reasoningTokens'], sdkOutput['reasoningTokens']],
      usage['output_reasoning_tokens'],
    ),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

/** Returns true if any of the counts is greater than zero. */
export function hasTokens(counts: TokenCounts): boolean {
  return Object.values(counts).some((count) => typeof count === 'number' && count > 0);
}
