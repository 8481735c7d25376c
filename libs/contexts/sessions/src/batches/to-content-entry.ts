import { SESSION_LABEL } from '@steward/contracts';
import type { ImportedEntry, SessionHead } from '@steward/session-formats';
import type { SessionContentEntry } from '../content/rules/content-kinds.ts';

/** Converts an entry of a file to a content entry of a session. */
export function toContentEntry(entry: ImportedEntry, occurredAt: Date | undefined): SessionContentEntry {
  const { externalId, formerId, revision, origin } = entry;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = entry;
  const tokens = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens };
  const facts = { ...tokens, externalId, formerId, revision, origin, occurredAt };
  switch (entry.kind) {
    case 'message':
      return {
        kind: 'transcript_message',
        role: entry.role,
        content: entry.content,
        byProgram: entry.byProgram,
        modelAlias: entry.model,
        status: entry.status,
        ...facts,
      };
    case 'interaction':
      return {
        kind: 'gateway_interaction',
        modelAlias: entry.model,
        providerName: entry.provider,
        request: entry.request,
        response: entry.response,
        status: entry.status,
        ...facts,
      };
    case 'tool_call':
      return {
        kind: 'tool_call',
        toolName: entry.toolName,
        arguments: entry.arguments,
        result: entry.result,
        status: entry.status,
        ...facts,
      };
  }
}

const LABEL = new RegExp(SESSION_LABEL.pattern, 'u');

/** Returns the properties of the session that the file states, as labels; invalid ones are omitted. */
export function toLabels({ labels }: SessionHead): string[] {
  return Object.entries(labels)
    .map(([key, value]) => `${key}:${value.trim()}`)
    .filter((label) => LABEL.test(label));
}
