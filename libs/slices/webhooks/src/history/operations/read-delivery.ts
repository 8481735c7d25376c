import type { AnyDatabase, AnyTransaction } from '@steward/database';
import * as store from '../store/delivery.store.ts';
import {
  findEndpointHold,
  listBreakerMoves,
  type EndpointHold,
  type PastBreakerMove,
} from '../../breaker/store/breaker-history.store.ts';

/** Everything that tells why a delivery is where it is. */
export interface InspectedDelivery {
  readonly delivery: store.Delivery;
  readonly attempts: readonly store.LoggedAttempt[];
  /** Moves of the endpoint's breaker during the delivery's life, after the one that led into it. */
  readonly breakerMoves: readonly PastBreakerMove[];
  /** Why it waits beyond its time; only while it is pending. */
  readonly hold: EndpointHold | undefined;
}

/**
 * One delivery with its attempts, or undefined when it is unknown, foreign or purged. All of it is of one moment: between two
 * statements an attempt may be recorded, and its time then stands beside a delivery that does not know of it.
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
    breakerMoves: await listBreakerMoves(trx, { accountId, endpointId, from: createdAt, to: finishedAt }),
    hold: delivery.status === 'pending' ? await findEndpointHold(trx, endpointId) : undefined,
  };
}
