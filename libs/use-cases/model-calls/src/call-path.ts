import type { ModelFamily } from '@steward/models';

/** Paths of each API, relative to the prefix that contains its version (such as `/v1`). */
export const CALL_PATHS = {
  openai: ['/chat/completions', '/responses', '/responses/compact', '/responses/input_tokens', '/embeddings'],
  anthropic: ['/messages', '/messages/count_tokens'],
} as const satisfies Readonly<Record<ModelFamily, readonly string[]>>;

export type CallPath = (typeof CALL_PATHS)[ModelFamily][number];

/** Returns true if the call only counts tokens, which is free and uses no tokens. */
export function isCounting(path: CallPath): boolean {
  return path === '/messages/count_tokens' || path === '/responses/input_tokens';
}

/** Returns true if the input of calls to this path consists of items of the Responses API. */
export function takesItems(path: CallPath): boolean {
  return path.startsWith('/responses');
}

/** Returns true if calls to this path are stored in sessions; calls that compact or only count tokens are not. */
export function isKept(path: CallPath): boolean {
  return !isCounting(path) && path !== '/responses/compact';
}
