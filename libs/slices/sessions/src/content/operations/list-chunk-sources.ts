import type { AnyDatabase } from '@steward/database';
import type { ChunkSource } from '@steward/slice-search';
import { buildContentSource, buildSummarySource, toEntry } from '../rules/chunk-source.ts';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';
import { listSessionTimeline } from './list-session-timeline.ts';

export interface ChunkSourcePage {
  readonly sources: readonly ChunkSource[];
  /** Where the next page starts; undefined after the last. */
  readonly next: { readonly occurredAt: Date; readonly id: string } | undefined;
}

/**
 * What a session's stored content is chunked from, page by page: the same sources the write path made, so that history
 * indexed later gives the same chunks. The first page opens with the session's title and summary.
 */
export async function listSessionChunkSources(
  db: AnyDatabase,
  session: RuntimeSession,
  page: { readonly after?: ChunkSourcePage['next']; readonly limit: number },
): Promise<ChunkSourcePage> {
  const key = { accountId: session.accountId, sessionId: session.id };
  const { items, hasMore } = await listSessionTimeline(db, { ...key, after: page.after, limit: page.limit });
  const summary = page.after === undefined ? [buildSummarySource(session)].filter((source) => source.text !== '') : [];
  return {
    sources: [...summary, ...items.map((item) => buildContentSource(session, item, toEntry(item)))],
    next: hasMore ? items.at(-1) : undefined,
  };
}
