import type { Static } from '@sinclair/typebox';
import type { SessionContentEntry, ContentBodyKind } from '@steward/sessions';
import { readTime } from '@steward/api/read-time';
import type { InteractionBody, ToolCallBody, TranscriptBody } from './session-content-schemas.ts';

/**
 * Functions that return the entries of each kind of content body. This module has no side effects or heavy imports,
 * because the thread that renders large bodies uses the same functions as the routes.
 */
export const readEntries = {
  interaction: (body: Static<typeof InteractionBody>): SessionContentEntry[] => [
    {
      kind: 'gateway_interaction',
      modelAlias: body.model_alias,
      providerName: body.provider_name,
      request: body.request,
      response: body.response,
      status: body.status,
      inputTokens: body.usage?.input_tokens,
      outputTokens: body.usage?.output_tokens,
      costUsd: body.usage?.cost_usd,
      externalId: body.external_id,
      occurredAt: readTime(body.occurred_at),
    },
  ],
  tool_call: (body: Static<typeof ToolCallBody>): SessionContentEntry[] => [
    {
      kind: 'tool_call',
      toolName: body.tool_name,
      arguments: body.arguments,
      result: body.result,
      status: body.status,
      externalId: body.external_id,
      occurredAt: readTime(body.occurred_at),
    },
  ],
  transcript: (body: Static<typeof TranscriptBody>): SessionContentEntry[] =>
    body.messages.map((message) => ({
      kind: 'transcript_message',
      role: message.role,
      content: message.content,
      externalId: message.external_id,
      occurredAt: readTime(message.occurred_at),
    })),
  /** Returns the entries unchanged, except for their times, which are strings in JSON. */
  entries: (body: { readonly entries: readonly EntryAsJson[] }): SessionContentEntry[] =>
    body.entries.map((entry) => ({ ...entry, occurredAt: readTime(entry.occurredAt) })),
} as const satisfies Readonly<Record<ContentBodyKind, unknown>>;

type EntryAsJson = SessionContentEntry extends infer Entry
  ? Entry extends SessionContentEntry
    ? Omit<Entry, 'occurredAt'> & { readonly occurredAt?: string }
    : never
  : never;
