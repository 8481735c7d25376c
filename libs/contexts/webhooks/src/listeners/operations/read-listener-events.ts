import { deterministicId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { advancePlace, formatPlace, isAhead, isFirst } from '../rules/place.ts';
import {
  compareHistories,
  findDoubtfulSince,
  formatPosition,
  rewindPlace,
  type History,
  type Position,
} from '../rules/position.ts';
import { findFirstSince, readListenerPage, toPosition, type ListenerEventRow } from '../store/listener-event.store.ts';

export interface ListenerEvent {
  readonly eventId: string;
  readonly eventType: string;
  /** Id of the delivery, the same each time this listener receives the event. */
  readonly deliveryId: string;
  readonly body: Buffer;
  readonly traceparent: string | null;
  /** Position at which a reader that has taken this event continues. */
  readonly position: string;
}

export type ListenerRead =
  | {
      readonly kind: 'read';
      readonly events: readonly ListenerEvent[];
      /** Position at which to continue after these events. */
      readonly position: Position;
      readonly hasMore: boolean;
    }
  /** Outcome if there is no such listener. */
  | { readonly kind: 'not_found' }
  /** Outcome if events after the position are no longer retained, or the position is not from this database. */
  | { readonly kind: 'place_gone' };

interface ListenerKey {
  readonly accountId: string;
  readonly id: string;
}

/**
 * Reads the next events of a listener, oldest transaction first. If the database has been restored to an earlier time
 * or another server has taken over since the position was read, events written since then are read again, so that none
 * is missed.
 */
export async function readListenerEvents(
  db: AnyDatabase,
  listener: ListenerKey,
  position: Position,
  limit: number,
): Promise<ListenerRead> {
  const page = await readListenerPage(db, listener, formatPlace(position.place), limit);
  if (page === undefined) return { kind: 'not_found' };
  const read = toPosition(page);
  const relation = compareHistories(position.history, read.history);
  if (relation === 'forked' && position.history !== undefined)
    return readListenerEvents(db, listener, await rewind(db, listener, position, position.history), limit);
  const { place } = position;
  const isDropped = !isFirst(place) && BigInt(page.dropped_xid) >= place.xmin;
  if (isDropped || relation === 'foreign' || isAhead(place, read.place)) return { kind: 'place_gone' };
  const hasMore = page.rows.length >= limit;
  const events = placeEvents(listener.id, page.rows, { position, read });
  return { kind: 'read', events, position: hasMore ? lastPosition(page.rows, { position, read }) : read, hasMore };
}

/**
 * Converts the position to one in the present history; the result includes none of the transactions that may have been
 * written since the position was read.
 */
async function rewind(db: AnyDatabase, { id }: ListenerKey, { place }: Position, former: History): Promise<Position> {
  const { xid, read } = await findFirstSince(db, id, findDoubtfulSince(former));
  return { place: rewindPlace(place, read, xid), history: undefined };
}

interface Reading {
  readonly position: Position;
  readonly read: Position;
}

/**
 * Returns the events with their positions. A position refers to whole transactions: a reader that stops within a
 * transaction receives all events of this transaction again.
 */
function placeEvents(
  listenerId: string,
  rows: readonly ListenerEventRow[],
  { position, read }: Reading,
): ListenerEvent[] {
  let { place } = position;
  const events: ListenerEvent[] = [];
  for (const [index, { event_id: eventId, xid, type, body, traceparent }] of rows.entries()) {
    if (rows[index + 1]?.xid !== xid) place = advancePlace(place, BigInt(xid), read.place);
    if (type === null || body === null) continue;
    const deliveryId = deterministicId('listener', listenerId, eventId);
    const next = formatPosition({ place, history: read.history });
    events.push({ eventId, eventType: type, deliveryId, body, traceparent, position: next });
  }
  return events;
}

function lastPosition(rows: readonly ListenerEventRow[], { position, read }: Reading): Position {
  const last = rows.at(-1);
  const place = last === undefined ? position.place : advancePlace(position.place, BigInt(last.xid), read.place);
  return { place, history: read.history };
}
