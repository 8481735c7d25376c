import type { ModelFamily } from '@steward/slice-models';

/** What may be called of each API, behind its version. */
export const CALL_PATHS = {
  openai: ['/chat/completions', '/responses', '/responses/compact', '/responses/input_tokens', '/embeddings'],
  anthropic: ['/messages', '/messages/count_tokens'],
} as const satisfies Readonly<Record<ModelFamily, readonly string[]>>;

export type CallPath = (typeof CALL_PATHS)[ModelFamily][number];

/** Counting tokens is asked of the provider, and neither costs nor counts any. */
export function isCounting(path: CallPath): boolean {
  return path === '/messages/count_tokens' || path === '/responses/input_tokens';
}

/** Whether the path reads items of responses as its input. */
export function takesItems(path: CallPath): boolean {
  return path.startsWith('/responses');
}

/** A conversation made shorter, or counted, is no turn of it. */
export function isKept(path: CallPath): boolean {
  return !isCounting(path) && path !== '/responses/compact';
}
