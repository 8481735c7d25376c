import type { AnyDatabase, AnyTransaction } from '@steward/database';
import * as store from '../store/delivery.store.ts';
import {
  findEndpointHold,
  listBreakerMoves,
  type EndpointHold,
  type PastBreakerMove,
} from '../../breaker/store/breaker-history.store.ts';

/** All data that explains the state of a delivery. */
export interface InspectedDelivery {
  readonly delivery: store.Delivery;
  readonly attempts: readonly store.LoggedAttempt[];
  /** Undefined if the event is purged, or a mail. */
  readonly request: store.RequestFacts | undefined;
  /** Changes of the endpoint's breaker during the delivery's life, preceded by the one before it. */
  readonly breakerMoves: readonly PastBreakerMove[];
  /** Reason why it waits beyond its time; only while it is pending. */
  readonly hold: EndpointHold | undefined;
}

/**
 * One delivery with its attempts; undefined if it is unknown, foreign or purged. Everything is read at one moment:
 * between two statements an attempt may be recorded, which the delivery read before would not know.
 */
export function readDelivery(db: AnyDatabase, accountId: string, id: string): Promise<InspectedDelivery | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => inspectDelivery(trx, accountId, id));
}

async function inspectDelivery(
  trx: AnyTransaction,
  accountId: string,
  id: string,
): Promise<InspectedDelivery | undefined> {
  const delivery = await store.findDelivery(trx, accountId, id);
  if (delivery === undefined) return undefined;
  const { endpointId, createdAt, finishedAt } = delivery;
  return {
    delivery,
    attempts: await store.listAttempts(trx, accountId, id),
    request: await store.findRequestFacts(trx, accountId, delivery),
    breakerMoves: await listBreakerMoves(trx, { accountId, endpointId, from: createdAt, to: finishedAt }),
    hold: delivery.status === 'pending' ? await findEndpointHold(trx, endpointId) : undefined,
  };
}
