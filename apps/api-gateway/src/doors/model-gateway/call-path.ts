import type { ModelFamily } from '@steward/slice-models';

/** What may be called of each API, behind its version. */
export const CALL_PATHS = {
  openai: ['/chat/completions', '/responses', '/embeddings'],
  anthropic: ['/messages', '/messages/count_tokens'],
} as const satisfies Readonly<Record<ModelFamily, readonly string[]>>;

export type CallPath = (typeof CALL_PATHS)[ModelFamily][number];
