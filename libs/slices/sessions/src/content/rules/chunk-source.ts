import type { ChunkSource } from '@steward/slice-search';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';
import type { SessionContent, SessionContentEntry } from '../session-content.ts';
import type { RenderedEntry } from './render-entry.ts';
import { renderSearchText, renderSessionSummary } from './search-text.ts';

/**
 * Content as the search corpus takes it. Filters see the principal and flow the session has at the time of writing.
 * @param rendered - the text, when it was made before
 */
export function buildContentSource(
  session: RuntimeSession,
  row: Omit<SessionContent, 'content'>,
  entry: SessionContentEntry,
  rendered?: RenderedEntry['search'],
): ChunkSource {
  return {
    ...describeSession(session),
    ...(rendered ?? renderSearchText(entry, { captureContent: row.contentCaptured })),
    sourceKind: row.kind,
    sourceId: row.id,
    occurredAt: row.occurredAt,
    role: row.role,
    modelAlias: row.modelAlias,
    providerName: row.providerName,
    apiKeyId: row.apiKeyId,
    status: row.status,
  };
}

/** Title and summary as the search corpus takes them. The source is the session itself, so a change replaces its chunk. */
export function buildSummarySource(session: RuntimeSession): ChunkSource {
  return {
    ...describeSession(session),
    sourceKind: 'session_summary',
    sourceId: session.id,
    occurredAt: session.startedAt,
    role: null,
    text: renderSessionSummary(session),
    redactionState: 'clear',
    apiKeyId: session.apiKeyId,
  };
}

function describeSession(session: RuntimeSession) {
  return {
    accountId: session.accountId,
    runtimeSessionId: session.id,
    runtimePrincipalId: session.runtimePrincipalId,
    flowId: session.flowId,
  };
}

/** A stored row as the entry it was written from: history is chunked by the same rule as new content. */
export function toEntry(row: SessionContent): SessionContentEntry {
  switch (row.kind) {
    case 'gateway_interaction': {
      const { request, response } = (row.content ?? {}) as { request?: unknown; response?: unknown };
      return {
        kind: row.kind,
        modelAlias: row.modelAlias ?? '',
        providerName: row.providerName ?? '',
        request,
        response,
        status: row.status,
        inputTokens: row.inputTokens,
        outputTokens: row.outputTokens,
      };
    }
    case 'tool_call': {
      const body = row.content as { arguments: unknown; result: unknown };
      return { kind: row.kind, toolName: row.toolName ?? '', ...body, status: row.status };
    }
    case 'transcript_message':
      return { kind: row.kind, role: row.role ?? '', content: row.content, externalId: row.externalId };
    case 'operator_note':
      return { kind: row.kind, text: row.content as string };
    case 'flow_log':
      return { kind: row.kind, text: row.content as string, step: row.role, level: row.status };
  }
}
