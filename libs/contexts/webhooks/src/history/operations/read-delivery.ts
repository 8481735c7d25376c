import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { EndpointScope } from '../../endpoints/endpoint-scope.ts';
import * as store from '../store/delivery.store.ts';
import {
  findEndpointHold,
  listBreakerMoves,
  type EndpointHold,
  type PastBreakerMove,
} from '../../breaker/store/breaker-history.store.ts';

/** Data that explains the state of a delivery. */
export interface InspectedDelivery {
  readonly delivery: store.Delivery;
  readonly attempts: readonly store.LoggedAttempt[];
  /** Data of the sent request; undefined if the event was purged, and for emails and notices. */
  readonly request: store.RequestFacts | undefined;
  /**
   * Changes of the endpoint's breaker while the delivery was pending, preceded by the last change before the delivery
   * was created.
   */
  readonly breakerMoves: readonly PastBreakerMove[];
  /** Reason why a pending delivery is held; undefined if it is not held. */
  readonly hold: EndpointHold | undefined;
}

/**
 * Returns one delivery with its attempts; undefined if it is unknown, belongs to another account or was purged. All
 * data is read from one snapshot: otherwise an attempt could be recorded between two statements, and the delivery that
 * was read first would not include this attempt.
 */
export function readDelivery(
  db: AnyDatabase,
  scope: EndpointScope,
  id: string,
): Promise<InspectedDelivery | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => inspectDelivery(trx, scope, id));
}

async function inspectDelivery(
  trx: AnyTransaction,
  scope: EndpointScope,
  id: string,
): Promise<InspectedDelivery | undefined> {
  const delivery = await store.findDelivery(trx, scope, id);
  if (delivery === undefined) return undefined;
  const { accountId } = scope;
  const { endpointId, createdAt, finishedAt } = delivery;
  return {
    delivery,
    attempts: await store.listAttempts(trx, accountId, id),
    request: await store.findRequestFacts(trx, accountId, delivery),
    breakerMoves: await listBreakerMoves(trx, { accountId, endpointId, from: createdAt, to: finishedAt }),
    hold: delivery.status === 'pending' ? await findEndpointHold(trx, endpointId) : undefined,
  };
}
