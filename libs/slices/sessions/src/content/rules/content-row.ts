import type { InteractionEntry, SessionContentEntry, TranscriptEntry } from '../session-content.ts';
import type { NewSessionContent } from '../../schema.ts';

export interface ContentRowFacts {
  readonly id: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly apiKeyId: string | null;
  readonly now: Date;
}

/** The row of one piece of content. With capture off the body of an interaction is dropped here: it reaches no statement. */
export function buildContentRow(
  entry: SessionContentEntry,
  facts: ContentRowFacts,
  options: { readonly captureContent: boolean },
): NewSessionContent {
  const base: NewSessionContent = {
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
    cost_usd: null,
    contentJson: null,
    created_at: facts.now,
  };
  switch (entry.kind) {
    case 'gateway_interaction':
      return { ...base, ...describeInteraction(entry, options.captureContent) };
    case 'tool_call':
      return {
        ...base,
        external_id: entry.externalId ?? null,
        tool_name: entry.toolName,
        status: entry.status ?? null,
        contentJson: toJson({ arguments: entry.arguments, result: entry.result ?? null }),
      };
    case 'transcript_message':
      return { ...base, ...describeMessage(entry) };
    case 'operator_note':
      return { ...base, role: 'operator', contentJson: toJson(entry.text) };
    case 'flow_log':
      return { ...base, role: entry.step ?? null, status: entry.level ?? null, contentJson: toJson(entry.text) };
  }
}

function describeMessage(entry: TranscriptEntry): Partial<NewSessionContent> {
  return {
    role: entry.role,
    external_id: entry.externalId ?? null,
    model_alias: entry.modelAlias ?? null,
    input_tokens: entry.inputTokens ?? null,
    output_tokens: entry.outputTokens ?? null,
    contentJson: toJson(entry.content),
  };
}

function describeInteraction(entry: InteractionEntry, captureContent: boolean): Partial<NewSessionContent> {
  return {
    external_id: entry.externalId ?? null,
    model_alias: entry.modelAlias,
    provider_name: entry.providerName,
    status: entry.status ?? null,
    input_tokens: entry.inputTokens ?? null,
    output_tokens: entry.outputTokens ?? null,
    cost_usd: entry.costUsd ?? null,
    contentJson: captureContent ? toJson({ request: entry.request, response: entry.response }) : null,
  };
}

function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}
