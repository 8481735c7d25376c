import type { AnyDatabase } from '@steward/database';
import { LISTENER_RETENTION } from '../listener.ts';
import {
  deleteForeignListenerEvents,
  deleteOldListenerEvents,
  deleteUnseenListeners,
  listFilledListeners,
  type ListenerBounds,
} from '../store/listener-retention.store.ts';

const BATCH_SIZE = 2000;

export interface PurgedListeners {
  readonly listenersDeleted: number;
  readonly listenerEventsDeleted: number;
}

/**
 * Deletes listeners that have not been used for a long time, the events of deleted listeners, events from another
 * database, and the events that exceed the limits of their listeners. Stops between batches of events when `signal` is
 * aborted.
 */
export async function purgeListeners(
  db: AnyDatabase,
  { signal, bounds = LISTENER_RETENTION }: { readonly signal?: AbortSignal; readonly bounds?: ListenerBounds } = {},
): Promise<PurgedListeners> {
  const listenersDeleted = await deleteUnseenListeners(db, LISTENER_RETENTION.unseenDays);
  let listenerEventsDeleted = 0;
  for (const id of await listFilledListeners(db)) {
    listenerEventsDeleted += await deleteForeignListenerEvents(db, id);
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE && signal?.aborted !== true; listenerEventsDeleted += deleted)
      deleted = await deleteOldListenerEvents(db, id, bounds, BATCH_SIZE);
  }
  return { listenersDeleted, listenerEventsDeleted };
}
