import type { SessionContentKind } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { ChunkSource } from '@steward/search';
import { buildStoredSource, buildSummarySource } from '../rules/chunk-source.ts';
import { listContent, toSessionContent } from '../store/session-content.store.ts';
import type { ContentObjects } from '../../objects/content-objects.ts';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';
import { listTimelineRows } from './list-session-timeline.ts';
import { openContent, openWholeContent, requireAvailable } from './open-content.ts';
import type { SessionContent } from '../session-content.ts';
import { chooseSearched } from './searched-copies.ts';

export interface ChunkSourcePage {
  readonly sources: readonly ChunkSource[];
  /** Start of the next page; undefined after the last page. */
  readonly next: { readonly occurredAt: Date; readonly id: string } | undefined;
}

export interface ChunkSourceRequest {
  readonly after?: ChunkSourcePage['next'];
  readonly limit: number;
  /** Returns whether the source of a piece of content is needed; the bodies of other content are not opened. */
  readonly isNeeded?: (content: { readonly kind: SessionContentKind; readonly id: string }) => boolean;
}

/**
 * Returns a page of the sources of a session's chunks. They are the same as those that the write path creates, so
 * content that is indexed later results in the same chunks. The first page begins with the session's title and summary.
 * Content whose body is lost has no source.
 *
 * @throws AppError `unavailable` if a body cannot be read at the moment
 */
export async function listSessionChunkSources(
  db: AnyDatabase,
  session: RuntimeSession,
  { after, limit, isNeeded = () => true }: ChunkSourceRequest,
  objects?: ContentObjects,
): Promise<ChunkSourcePage> {
  const key = { accountId: session.accountId, sessionId: session.id };
  const { rows, hasMore } = await listTimelineRows(db, { ...key, after, limit });
  const searched = await chooseSearched(db, session.accountId, rows.map(toSessionContent));
  const needed = rows.filter((row) => searched.has(row.id) && isNeeded(row));
  const items = await openWholeContent(db, objects, needed);
  const last = rows.at(-1);
  const summary = after === undefined ? [buildSummarySource(session)].filter((source) => source.text !== '') : [];
  return {
    sources: [...summary, ...items.map((item) => buildStoredSource(session, item))],
    next: hasMore && last !== undefined ? { occurredAt: last.occurred_at, id: last.id } : undefined,
  };
}

/** A piece of stored content whose text has not been rendered yet. */
export interface StoredSource {
  readonly session: RuntimeSession;
  readonly id: string;
  /**
   * Renders the text of the content.
   * @throws if the kind of the content is unknown, or if its body is lost
   */
  render(): ChunkSource;
}

/**
 * Returns those of the given pieces of content that are searchable; each can be rendered to the same source that the
 * write path creates.
 * @throws AppError `unavailable` if a body cannot be read at the moment
 */
export async function readStoredSources(
  db: AnyDatabase,
  sessions: readonly RuntimeSession[],
  ids: readonly string[],
  objects?: ContentObjects,
): Promise<readonly StoredSource[]> {
  const [first] = sessions;
  if (first === undefined) return [];
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const rows = await listContent(db, first.accountId, ids);
  const searched = await chooseSearched(db, first.accountId, rows.map(toSessionContent));
  const items = await openContent(
    db,
    objects,
    rows.filter(({ id }) => searched.has(id)),
  );
  requireAvailable(items);
  return items.flatMap((item) => {
    const session = byId.get(item.runtimeSessionId);
    return session === undefined ? [] : [{ session, id: item.id, render: () => renderSource(session, item) }];
  });
}

function renderSource(session: RuntimeSession, item: SessionContent): ChunkSource {
  if (item.contentError !== null) throw new Error('the body of the content is lost');
  return buildStoredSource(session, item);
}
