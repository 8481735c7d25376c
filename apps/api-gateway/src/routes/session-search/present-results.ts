import type { SessionHeading } from '@steward/slice-gateway';
import type { SessionMatch, Snippet } from '@steward/slice-search';

/** A ranked session as an item of the answer. */
export function presentSession(session: SessionHeading, match: SessionMatch, snippets: readonly Snippet[]): object {
  return {
    ...describeSession(session),
    score: match.score,
    match_reason: 'keyword',
    keyword_score: match.score,
    similarity: null,
    matched_chunk_count: match.matchedChunkCount,
    first_match_at: match.firstMatchAt,
    last_match_at: match.lastMatchAt,
    snippets: snippets.map(presentSnippet),
  };
}

/** A session the query names by an identifier: first, whatever the words score. */
export function presentIdentifierMatch(
  session: SessionHeading,
  match: SessionMatch | undefined,
  more: { readonly snippets: readonly Snippet[]; readonly score: number },
): object {
  return {
    ...describeSession(session),
    score: more.score,
    match_reason: 'identifier',
    keyword_score: match?.score ?? null,
    similarity: null,
    matched_chunk_count: match?.matchedChunkCount ?? 0,
    first_match_at: match?.firstMatchAt ?? null,
    last_match_at: match?.lastMatchAt ?? null,
    snippets: more.snippets.map(presentSnippet),
  };
}

function describeSession(session: SessionHeading): object {
  return {
    runtime_session_id: session.id,
    session_source_type: session.sessionSourceType,
    session_source_id: session.sessionSourceId,
    session_reference: session.sessionReference,
    title: session.title,
    started_at: session.startedAt,
    last_activity_at: session.lastActivityAt,
    ended_at: session.endedAt,
  };
}

function presentSnippet(snippet: Snippet): object {
  return {
    document_id: snippet.documentId,
    source_kind: snippet.sourceKind,
    source_id: snippet.sourceId,
    chunk_index: snippet.chunkIndex,
    occurred_at: snippet.occurredAt,
    role: snippet.role,
    text: snippet.html,
    rank: snippet.rank,
    match_reason: 'keyword',
    similarity: null,
  };
}
