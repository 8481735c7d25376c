import { Type } from '@sinclair/typebox';
import { DEGRADED_REASONS, SOURCE_KINDS } from '@steward/contracts';
import type { ResultSnippet, SearchedSession } from '@steward/search';
import { nullable } from '@steward/http';
import { linkSession, SESSION_LINK, type LinkSettings } from '../session-link.ts';

export const Timestamp = Type.String({ format: 'date-time' });

/** Properties of a found session, in every response that lists found sessions. */
export const SESSION_HEADING = {
  runtime_session_id: Type.String({ format: 'uuid' }),
  url: nullable(Type.String({ description: SESSION_LINK })),
  session_source_type: Type.String(),
  session_source_id: Type.String(),
  session_reference: nullable(Type.String()),
  title: nullable(Type.String({ description: 'Title with credentials masked.' })),
  started_at: Timestamp,
  last_activity_at: Timestamp,
  ended_at: nullable(Timestamp),
};

export function presentHeading(session: SearchedSession, settings: LinkSettings) {
  return {
    runtime_session_id: session.id,
    url: linkSession(session.id, settings),
    session_source_type: session.sessionSourceType,
    session_source_id: session.sessionSourceId,
    session_reference: session.sessionReference,
    title: session.title,
    started_at: session.startedAt,
    last_activity_at: session.lastActivityAt,
    ended_at: session.endedAt,
  };
}

/** Properties that describe the position of a shown chunk. */
export const CHUNK_PLACE = {
  document_id: Type.String({ format: 'uuid' }),
  source_kind: Type.String({ enum: [...SOURCE_KINDS] }),
  source_id: Type.String(),
  chunk_index: Type.Integer(),
  gap_after_chunk: nullable(
    Type.Integer({
      description:
        'If the source is too long to be indexed completely: index of the chunk after which content is missing. Null if the source is indexed completely.',
    }),
  ),
  occurred_at: Timestamp,
  role: nullable(Type.String()),
};

export function presentPlace(
  chunk: Pick<
    ResultSnippet,
    'documentId' | 'sourceKind' | 'sourceId' | 'chunkIndex' | 'gapAfter' | 'occurredAt' | 'role'
  >,
) {
  return {
    document_id: chunk.documentId,
    source_kind: chunk.sourceKind,
    source_id: chunk.sourceId,
    chunk_index: chunk.chunkIndex,
    gap_after_chunk: chunk.gapAfter,
    occurred_at: chunk.occurredAt,
    role: chunk.role,
  };
}

/** Creates the schema of the parts of the search that could not run, and of the reasons. */
export const describeDegraded = (reasons: string) =>
  Type.Object({
    keyword: Type.Boolean(),
    semantic: Type.Boolean(),
    reasons: Type.Array(Type.String({ enum: Object.keys(DEGRADED_REASONS) }), { description: reasons }),
    detail: nullable(Type.String()),
  });
