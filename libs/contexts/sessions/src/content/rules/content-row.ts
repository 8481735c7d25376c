import { findContentKind, type SessionContentEntry } from './content-kinds.ts';
import type { CaptureOptions } from './kinds/content-kind.ts';
import type { NewSessionContent } from '../../schema.ts';

export interface ContentRowFacts {
  readonly id: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly apiKeyId: string | null;
  readonly now: Date;
}

/**
 * Returns the row of one piece of content. With capture off, the body of an interaction is dropped here, so that no SQL
 * statement contains it.
 */
export function buildContentRow(
  entry: SessionContentEntry,
  facts: ContentRowFacts,
  options: CaptureOptions,
): NewSessionContent {
  return {
    account_id: facts.accountId,
    id: facts.id,
    runtime_session_id: facts.sessionId,
    kind: entry.kind,
    occurred_at: entry.occurredAt ?? facts.now,
    role: null,
    external_id: null,
    api_key_id: facts.apiKeyId,
    model_alias: null,
    provider_name: null,
    tool_name: null,
    status: null,
    input_tokens: null,
    output_tokens: null,
    cache_read_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
    revision: 0,
    origin: null,
    copy_of: null,
    copy_of_session_id: null,
    cost_usd: null,
    contentJson: null,
    created_at: facts.now,
    ...findContentKind(entry.kind).toColumns(entry, options),
  };
}
