import { deterministicId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { advancePlace, formatPlace, isAhead, isFirst, parsePlace, type Place } from '../rules/place.ts';
import { readListenerPage, type ListenerEventRow } from '../store/listener-event.store.ts';

export interface ListenerEvent {
  readonly eventId: string;
  readonly eventType: string;
  /** Id of the delivery, which is the same whenever this listener receives the event. */
  readonly deliveryId: string;
  readonly body: Buffer;
  readonly traceparent: string | null;
  /** Position at which a reader that has taken this event continues. */
  readonly place: string;
}

export type ListenerRead =
  | {
      readonly kind: 'read';
      readonly events: readonly ListenerEvent[];
      /** Position at which to continue after these events. */
      readonly place: Place;
      readonly hasMore: boolean;
    }
  /** Outcome if there is no such listener. */
  | { readonly kind: 'not_found' }
  /** Outcome if events after the position are no longer retained, or the position is not from this database. */
  | { readonly kind: 'place_gone' };

/** Reads the next events of a listener, oldest transaction first. */
export async function readListenerEvents(
  db: AnyDatabase,
  listener: { readonly accountId: string; readonly id: string },
  place: Place,
  limit: number,
): Promise<ListenerRead> {
  const page = await readListenerPage(db, listener, formatPlace(place), limit);
  if (page === undefined) return { kind: 'not_found' };
  const read = parsePlace(page.snapshot);
  if (read === undefined) throw new Error(`no snapshot: ${page.snapshot}`);
  const isDropped = !isFirst(place) && BigInt(page.dropped_xid) >= place.xmin;
  if (isDropped || isAhead(place, read)) return { kind: 'place_gone' };
  const hasMore = page.rows.length >= limit;
  const events = placeEvents(listener.id, page.rows, { place, read });
  return { kind: 'read', events, place: hasMore ? lastPlace(page.rows, { place, read }) : read, hasMore };
}

interface Reading {
  readonly place: Place;
  readonly read: Place;
}

/**
 * Returns the events with their positions. A position refers to whole transactions: a reader that stops within a
 * transaction receives its events again.
 */
function placeEvents(listenerId: string, rows: readonly ListenerEventRow[], { place, read }: Reading): ListenerEvent[] {
  let at = place;
  const events: ListenerEvent[] = [];
  for (const [index, { event_id: eventId, xid, type, body, traceparent }] of rows.entries()) {
    if (rows[index + 1]?.xid !== xid) at = advancePlace(at, BigInt(xid), read);
    if (type === null || body === null) continue;
    const deliveryId = deterministicId('listener', listenerId, eventId);
    events.push({ eventId, eventType: type, deliveryId, body, traceparent, place: formatPlace(at) });
  }
  return events;
}

function lastPlace(rows: readonly ListenerEventRow[], { place, read }: Reading): Place {
  const last = rows.at(-1);
  return last === undefined ? place : advancePlace(place, BigInt(last.xid), read);
}
