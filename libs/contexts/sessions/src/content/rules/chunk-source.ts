import type { ChunkSource } from '@steward/search';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';
import { findContentKind, type SessionContentEntry } from './content-kinds.ts';
import { joinLines } from './kinds/content-kind.ts';
import type { ContentFacts, SessionContent } from '../session-content.ts';
import type { RenderedEntry } from './render-entry.ts';

/**
 * Returns content as a source of the search corpus. Search filters use the agent and flow that the session has when the
 * chunks are written.
 * @param rendered - the text, if it has already been rendered
 */
export function buildContentSource(
  session: RuntimeSession,
  row: ContentFacts,
  entry: SessionContentEntry,
  rendered?: RenderedEntry['search'],
): ChunkSource {
  return {
    ...describeSession(session),
    ...(rendered ?? findContentKind(entry.kind).toSearchText(entry, { captureContent: row.contentCaptured })),
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

/** Returns stored content as a source: it is chunked by the same rules as new content. */
export function buildStoredSource(session: RuntimeSession, row: SessionContent): ChunkSource {
  return buildContentSource(session, row, findContentKind(row.kind).toEntry(row));
}

/**
 * Returns title and summary as a source of the search corpus. The id of the source is that of the session, so a change
 * replaces the chunk.
 */
export function buildSummarySource(session: RuntimeSession): ChunkSource {
  return {
    ...describeSession(session),
    sourceKind: 'session_summary',
    sourceId: session.id,
    occurredAt: session.startedAt,
    role: null,
    text: renderSessionSummary(hasCopiedTitle(session) ? { ...session, title: null } : session),
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

/**
 * Returns whether the title is derived from words of another session; in this case, searches find the words only in the
 * other session.
 */
function hasCopiedTitle({ titleOrigin, isHintCopied }: RuntimeSession): boolean {
  return titleOrigin === 'generated' && isHintCopied;
}

/** Returns a session's title and summary; an empty text, which removes the chunk, if the session has neither. */
export function renderSessionSummary(session: {
  readonly title: string | null;
  readonly summary: string | null;
}): string {
  return joinLines([session.title, session.summary]);
}
