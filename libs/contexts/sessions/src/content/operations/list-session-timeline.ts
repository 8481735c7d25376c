import type { AnyDatabase } from '@steward/database';
import type { ContentObjects } from '../../objects/content-objects.ts';
import type { SessionContentRow } from '../../schema.ts';
import type { SessionContent } from '../session-content.ts';
import type { SessionContentKind } from '@steward/contracts';
import {
  findTimelinePlace,
  listContent,
  listTimelinePlaces,
  type PlacedContent,
  type TimelineOrder,
  type TimelinePlace,
} from '../store/session-content.store.ts';
import { openContent } from './open-content.ts';

/** Maximum total size of the bodies of a page; two hundred rows of 4 MiB must not be read into one response. */
export const TIMELINE_PAGE_BYTES = 8 * 1024 * 1024;

interface TimelineScope {
  readonly accountId: string;
  readonly sessionId: string;
  /** Kind of the content; undefined for all kinds. */
  readonly kind?: SessionContentKind | undefined;
  /** Order of the items: oldest first (the default) or newest first. */
  readonly order?: TimelineOrder | undefined;
  readonly limit: number;
}

export interface TimelineInput extends TimelineScope {
  /** Position of the last item of the previous page, in the requested order. */
  readonly after?: TimelinePlace | undefined;
}

export interface TimelinePage {
  readonly items: readonly SessionContent[];
  /** Whether there are items after the last one, in the requested order. */
  readonly hasMore: boolean;
}

/** A page of rows whose bodies have not been read from the object store. */
export interface TimelineRows {
  readonly rows: readonly SessionContentRow[];
  readonly hasMore: boolean;
}

export interface TimelineAround extends TimelinePage {
  /** Whether there are items before the first one, in the requested order. */
  readonly hasFormer: boolean;
}

/**
 * Returns a page of the session's content: at most `limit` rows, fewer if their bodies would exceed the size limit of a
 * page, but at least one if there is any. Without `objects`, bodies in the object store are unavailable.
 */
export async function listSessionTimeline(
  db: AnyDatabase,
  input: TimelineInput,
  objects?: ContentObjects,
): Promise<TimelinePage> {
  const { rows, hasMore } = await listTimelineRows(db, input);
  return { items: await openContent(db, objects, rows), hasMore };
}

/**
 * Returns the rows of the page that `listSessionTimeline` returns, without reading the object store; the caller opens
 * the bodies that it needs.
 */
export async function listTimelineRows(db: AnyDatabase, input: TimelineInput): Promise<TimelineRows> {
  const places = await listTimelinePlaces(db, { ...input, limit: input.limit + 1 });
  const page = takeFitting(places, { limit: input.limit, bytes: TIMELINE_PAGE_BYTES, atLeast: 1 });
  return { rows: await readRows(db, input, page), hasMore: places.length > page.length };
}

/**
 * Returns a page that contains one piece of content and the items before and after it. Returns undefined if the session
 * has no such content. If the piece of content is not of the requested kind, it is not returned and only determines the
 * position of the page.
 */
export async function listTimelineAround(
  db: AnyDatabase,
  input: TimelineScope & { readonly contentId: string },
  objects?: ContentObjects,
): Promise<TimelineAround | undefined> {
  const { kind, order = 'asc', limit } = input;
  const centre = await findTimelinePlace(db, { ...input, id: input.contentId });
  if (centre === undefined) return undefined;
  const list = (direction: TimelineOrder) =>
    listTimelinePlaces(db, { ...input, after: centre, order: direction, limit: limit + 1 });
  const ahead = await list(order);
  if (kind === undefined || kind === centre.kind) ahead.unshift(centre);
  const behind = await list(order === 'asc' ? 'desc' : 'asc');
  // Half of the page is for this piece of content and the items after it, the rest for the items before it.
  const half = Math.min(Math.floor(limit / 2) + 1, limit);
  const latter = takeFitting(ahead, { limit: half, bytes: TIMELINE_PAGE_BYTES / 2, atLeast: 1 });
  const former = takeFitting(behind, {
    limit: limit - latter.length,
    bytes: TIMELINE_PAGE_BYTES - sumSizes(latter),
    atLeast: latter.length === 0 ? 1 : 0,
  });
  return {
    items: await openContent(db, objects, await readRows(db, input, [...former, ...latter])),
    hasMore: ahead.length > latter.length,
    hasFormer: behind.length > former.length,
  };
}

interface Room {
  readonly limit: number;
  readonly bytes: number;
  /**
   * Minimum number of items, whatever their size: 1 if the page would otherwise be empty, or lack the requested
   * content.
   */
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

async function readRows(
  db: AnyDatabase,
  { accountId, order }: TimelineScope,
  places: readonly PlacedContent[],
): Promise<SessionContentRow[]> {
  const ids = places.map(({ id }) => id);
  const rows = await listContent(db, accountId, ids);
  return order === 'desc' ? rows.reverse() : rows;
}
