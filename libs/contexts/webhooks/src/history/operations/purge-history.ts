import type { AnyDatabase } from '@steward/database';
import { deleteOldGivenUp } from '../../deliveries/store/given-up.store.ts';
import { deleteOldWorkflowDeliveries } from '../../deliveries/store/workflow-delivery.store.ts';
import { LISTENER_RETENTION } from '../../listeners/listener.ts';
import { purgeListeners, type PurgedListeners } from '../../listeners/operations/purge-listeners.ts';
import { deleteEndedPortalLinks } from '../../portal/store/portal-link.store.ts';
import { deleteOldBreakerMoves } from '../../breaker/store/breaker-history.store.ts';
import {
  deleteOldEndpoints,
  deleteOldEvents,
  deleteOldRecoveries,
  maintainPartitions,
} from '../store/retention.store.ts';

const EVENTS_PER_BATCH = 2000;
/** Minimum number of days for which events are retained, because listeners may still read them (HOOK-49). */
const LISTENED_DAYS = Math.ceil(LISTENER_RETENTION.eventHours / 24);

export interface PurgeResult extends PurgedListeners {
  readonly partitionsCreated: number;
  readonly partitionsDropped: number;
  readonly eventsDeleted: number;
}

/**
 * Applies `WEBHOOK_DELIVERY_RETENTION_DAYS`: finished deliveries and attempts are deleted by whole days; an event is
 * deleted when it is old enough and no delivery refers to it. Pending deliveries are retained regardless of their age.
 * Old data of listeners, recoveries, breakers, approval workflows, notices, deleted endpoints and portal links is
 * deleted as well. When `signal` is aborted, no further batches of events are deleted.
 */
export async function purgeHistory(
  db: AnyDatabase,
  options: { readonly retentionDays: number; readonly signal?: AbortSignal },
): Promise<PurgeResult> {
  const { retentionDays, signal } = options;
  const partitions = await maintainPartitions(db, retentionDays);
  let eventsDeleted = 0;
  let after: Date | undefined = new Date(0);
  while (after !== undefined && signal?.aborted !== true) {
    const eventDays = Math.max(retentionDays, LISTENED_DAYS);
    const batch = await deleteOldEvents(db, { retentionDays: eventDays, after, batchSize: EVENTS_PER_BATCH });
    eventsDeleted += batch.deleted;
    after = batch.seen < EVENTS_PER_BATCH ? undefined : batch.lastCreatedAt;
  }
  const listeners = await purgeListeners(db, { ...(signal === undefined ? {} : { signal }) });
  await deleteOldRecoveries(db, retentionDays);
  await deleteOldBreakerMoves(db, retentionDays);
  await deleteOldWorkflowDeliveries(db, retentionDays);
  await deleteOldGivenUp(db);
  await deleteOldEndpoints(db, retentionDays);
  await deleteEndedPortalLinks(db);
  return {
    partitionsCreated: partitions.filter((entry) => entry.action === 'created').length,
    partitionsDropped: partitions.filter((entry) => entry.action === 'dropped').length,
    eventsDeleted,
    ...listeners,
  };
}
