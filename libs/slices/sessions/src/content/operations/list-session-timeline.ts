import type { AnyDatabase } from '@steward/database';
import type { SessionContent } from '../session-content.ts';
import type { SessionContentKind } from '@steward/contracts';
import {
  findTimelinePlace,
  listContent,
  listTimelinePlaces,
  toSessionContent,
  type PlacedContent,
  type TimelineOrder,
  type TimelinePlace,
} from '../store/session-content.store.ts';

/** Bodies of one page together; two hundred rows of 4 MiB each must not be read into one answer. */
export const TIMELINE_PAGE_BYTES = 8 * 1024 * 1024;

interface TimelineScope {
  readonly accountId: string;
  readonly sessionId: string;
  /** Only content of this kind. */
  readonly kind?: SessionContentKind | undefined;
  /** Oldest first (the default) or newest first. */
  readonly order?: TimelineOrder | undefined;
  readonly limit: number;
}

export interface TimelineInput extends TimelineScope {
  /** Where the page before ended, in either order. */
  readonly after?: TimelinePlace | undefined;
}

export interface TimelinePage {
  readonly items: readonly SessionContent[];
  /** Behind the last item, in the order asked for. */
  readonly hasMore: boolean;
}

export interface TimelineAround extends TimelinePage {
  /** Before the first item, in the order asked for. */
  readonly hasFormer: boolean;
}

/** The session's content: at most `limit` rows, fewer when their bodies fill the page (always at least one). */
export async function listSessionTimeline(db: AnyDatabase, input: TimelineInput): Promise<TimelinePage> {
  const places = await listTimelinePlaces(db, { ...input, limit: input.limit + 1 });
  const page = takeFitting(places, { limit: input.limit, bytes: TIMELINE_PAGE_BYTES, atLeast: 1 });
  return { items: await readContent(db, input, page), hasMore: places.length > page.length };
}

/**
 * The page with one piece of content in its middle, as far as there is as much on both sides of it. Undefined when the session
 * has no such content. Of another kind than the one asked for, it is a place between the items and none of them.
 */
export async function listTimelineAround(
  db: AnyDatabase,
  input: TimelineScope & { readonly contentId: string },
): Promise<TimelineAround | undefined> {
  const { kind, order = 'asc', limit } = input;
  const centre = await findTimelinePlace(db, { ...input, id: input.contentId });
  if (centre === undefined) return undefined;
  const list = (direction: TimelineOrder) =>
    listTimelinePlaces(db, { ...input, after: centre, order: direction, limit: limit + 1 });
  const ahead = await list(order);
  if (kind === undefined || kind === centre.kind) ahead.unshift(centre);
  const behind = await list(order === 'asc' ? 'desc' : 'asc');
  // Half of the page each; what the half ahead leaves goes to the other.
  const half = Math.min(Math.floor(limit / 2) + 1, limit);
  const latter = takeFitting(ahead, { limit: half, bytes: TIMELINE_PAGE_BYTES / 2, atLeast: 1 });
  const former = takeFitting(behind, {
    limit: limit - latter.length,
    bytes: TIMELINE_PAGE_BYTES - sumSizes(latter),
    atLeast: latter.length === 0 ? 1 : 0,
  });
  return {
    items: await readContent(db, input, [...former, ...latter]),
    hasMore: ahead.length > latter.length,
    hasFormer: behind.length > former.length,
  };
}

interface Room {
  readonly limit: number;
  readonly bytes: number;
  /** Taken however large it is. */
  readonly atLeast: 0 | 1;
}

function takeFitting(places: readonly PlacedContent[], { limit, bytes, atLeast }: Room): readonly PlacedContent[] {
  let sum = 0;
  const end = places.slice(0, limit).findIndex(({ sizeBytes }, index) => {
    sum += sizeBytes;
    return index >= atLeast && sum > bytes;
  });
  return places.slice(0, end === -1 ? limit : end);
}

const sumSizes = (places: readonly PlacedContent[]): number =>
  places.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

async function readContent(
  db: AnyDatabase,
  { accountId, order }: TimelineScope,
  places: readonly PlacedContent[],
): Promise<SessionContent[]> {
  const ids = places.map(({ id }) => id);
  const items = (await listContent(db, accountId, ids)).map(toSessionContent);
  return order === 'desc' ? items.reverse() : items;
}
