import type { AnyDatabase } from '@steward/database';
import type { SessionContent, SessionContentKind } from '../session-content.ts';
import { listContent, listTimelinePlaces, toSessionContent } from '../store/session-content.store.ts';

/** Bodies of one page together; two hundred rows of 4 MiB each must not be read into one answer. */
export const TIMELINE_PAGE_BYTES = 8 * 1024 * 1024;

export interface TimelineInput {
  readonly accountId: string;
  readonly sessionId: string;
  readonly after?: { readonly occurredAt: Date; readonly id: string } | undefined;
  /** Only content of this kind. */
  readonly kind?: SessionContentKind | undefined;
  readonly limit: number;
}

export interface TimelinePage {
  readonly items: readonly SessionContent[];
  readonly hasMore: boolean;
}

/** The session's content, oldest first: at most `limit` rows, fewer when their bodies fill the page (always at least one). */
export async function listSessionTimeline(db: AnyDatabase, input: TimelineInput): Promise<TimelinePage> {
  const places = await listTimelinePlaces(db, { ...input, limit: input.limit + 1 });
  const ids: string[] = [];
  let bytes = 0;
  for (const place of places.slice(0, input.limit)) {
    bytes += place.content_size_bytes;
    if (ids.length > 0 && bytes > TIMELINE_PAGE_BYTES) break;
    ids.push(place.id);
  }
  const rows = await listContent(db, input.accountId, ids);
  return { items: rows.map(toSessionContent), hasMore: places.length > ids.length };
}
