import type { SourceKind } from '@steward/contracts';
import type { SessionMatch } from '../session-match.ts';

/** One of the best chunks of a session. */
export interface SnippetRow {
  readonly sessionId: string;
  readonly documentId: string;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
  readonly chunkIndex: number;
  /** Index of the chunk of the same source before the omitted text; null if nothing is omitted. */
  readonly gapAfter: number | null;
  readonly occurredAt: Date;
  readonly role: string | null;
  readonly rank: number;
  /** Text of the chunk; null if no text was requested, because the column is not read in this case. */
  readonly content: string | null;
  /** Share of each weighted word; empty unless requested. */
  readonly termRanks: readonly number[];
}

export interface SessionPage {
  /** Sessions ordered by score, last match and id; one more than the limit if there is another page. */
  readonly sessions: readonly SessionMatch[];
  /** The best chunks of these sessions, in the order of the sessions, best first. */
  readonly snippets: readonly SnippetRow[];
  readonly matchedSessions: number;
  /** Number of matching chunks, as far as they have been counted. */
  readonly matchedChunks: number;
  /** False if there are, or may be, more matches than were ranked. */
  readonly isExact: boolean;
}

/** A row has a session and one of its best chunks; only the first row of each session has the fields of the session. */
export interface PageRow {
  readonly matched_chunks: number;
  readonly matched_sessions: number;
  /** Id of the session; null if the page is empty. */
  readonly runtime_session_id: string | null;
  readonly score: number | null;
  readonly matched: number;
  readonly first_match_at: Date;
  readonly last_match_at: Date;
  /** Id of the chunk; null if no snippets were requested. */
  readonly id: string | null;
  readonly source_kind: SourceKind;
  readonly source_id: string;
  readonly chunk_index: number;
  readonly gap_after: number | null;
  readonly occurred_at: Date;
  readonly role: string | null;
  readonly rank: number;
  readonly content: string | null;
  readonly term_ranks: readonly number[];
}

export function readSessions(rows: readonly PageRow[]): SessionMatch[] {
  return rows.flatMap((row) =>
    row.runtime_session_id === null || row.score === null
      ? []
      : [
          {
            sessionId: row.runtime_session_id,
            score: row.score,
            matchedChunkCount: row.matched,
            firstMatchAt: row.first_match_at,
            lastMatchAt: row.last_match_at,
          },
        ],
  );
}

export function readSnippets(rows: readonly PageRow[]): SnippetRow[] {
  return rows.flatMap((row) =>
    row.runtime_session_id === null || row.id === null
      ? []
      : [
          {
            sessionId: row.runtime_session_id,
            documentId: row.id,
            sourceKind: row.source_kind,
            sourceId: row.source_id,
            chunkIndex: row.chunk_index,
            gapAfter: row.gap_after,
            occurredAt: row.occurred_at,
            role: row.role,
            rank: row.rank,
            content: row.content,
            termRanks: row.term_ranks,
          },
        ],
  );
}
