import type { AnyDatabase } from '@steward/database';
import type { ChunkSource } from '@steward/search';
import { buildStoredSource, buildSummarySource } from '../rules/chunk-source.ts';
import { listContent, toSessionContent } from '../store/session-content.store.ts';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';
import { listSessionTimeline } from './list-session-timeline.ts';
import { chooseSearched } from './searched-copies.ts';

export interface ChunkSourcePage {
  readonly sources: readonly ChunkSource[];
  /** Start of the next page; undefined after the last page. */
  readonly next: { readonly occurredAt: Date; readonly id: string } | undefined;
}

/**
 * Returns the sources of a session's chunks, page by page: the same ones that the write path creates, so that content
 * that is indexed later results in the same chunks. The first page begins with the session's title and summary.
 */
export async function listSessionChunkSources(
  db: AnyDatabase,
  session: RuntimeSession,
  page: { readonly after?: ChunkSourcePage['next']; readonly limit: number },
): Promise<ChunkSourcePage> {
  const key = { accountId: session.accountId, sessionId: session.id };
  const { items, hasMore } = await listSessionTimeline(db, { ...key, after: page.after, limit: page.limit });
  const searched = await chooseSearched(db, session.accountId, items);
  const summary = page.after === undefined ? [buildSummarySource(session)].filter((source) => source.text !== '') : [];
  return {
    sources: [
      ...summary,
      ...items.filter(({ id }) => searched.has(id)).map((item) => buildStoredSource(session, item)),
    ],
    next: hasMore ? items.at(-1) : undefined,
  };
}

/** A piece of stored content whose text has not been rendered yet. */
export interface StoredSource {
  readonly session: RuntimeSession;
  readonly id: string;
  /**
   * Renders the text of the content.
   * @throws for content of an unknown kind
   */
  render(): ChunkSource;
}

/** Returns the given pieces of content of the sessions, in the form in which the write path creates chunks. */
export async function readStoredSources(
  db: AnyDatabase,
  sessions: readonly RuntimeSession[],
  ids: readonly string[],
): Promise<readonly StoredSource[]> {
  const [first] = sessions;
  if (first === undefined) return [];
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const rows = (await listContent(db, first.accountId, ids)).map(toSessionContent);
  const searched = await chooseSearched(db, first.accountId, rows);
  return rows.flatMap((row) => {
    const session = byId.get(row.runtimeSessionId);
    if (session === undefined || !searched.has(row.id)) return [];
    return [{ session, id: row.id, render: () => buildStoredSource(session, row) }];
  });
}
