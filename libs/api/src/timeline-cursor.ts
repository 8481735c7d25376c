import { decodeTimeCursor, encodeCursor } from '@steward/http';

/** A position in the timeline of a session. */
export interface TimelinePlace {
  readonly occurredAt: Date;
  readonly id: string;
}

/** Reads a cursor. @throws invalid_request if the string is not a valid cursor */
export function readTimelineCursor(cursor: string | undefined): TimelinePlace | undefined {
  const decoded = decodeTimeCursor(cursor);
  return decoded === undefined ? undefined : { occurredAt: decoded.at, id: decoded.id };
}

export function buildTimelineCursor({ occurredAt, id }: TimelinePlace): string {
  return encodeCursor(occurredAt, id);
}

/** Returns the cursor of the next page; null on the last page. */
export function findNextCursor(page: { readonly items: readonly TimelinePlace[]; readonly hasMore: boolean }) {
  const last = page.items.at(-1);
  return page.hasMore && last !== undefined ? buildTimelineCursor(last) : null;
}
