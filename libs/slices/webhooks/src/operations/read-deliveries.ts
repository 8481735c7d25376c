import type { AnyDatabase } from '@steward/database';
import type { Kysely } from 'kysely';
import type { WebhooksDatabase } from '../schema.ts';
import * as store from '../store/delivery.store.ts';
import {
  findEndpointHold,
  listBreakerMoves,
  type EndpointHold,
  type PastBreakerMove,
} from '../store/breaker-history.store.ts';

/** Deliveries of an account, newest first. */
export function listDeliveries(
  db: AnyDatabase,
  filter: store.DeliveryFilter,
  page: { readonly beforeId: string | undefined; readonly limit: number },
): Promise<store.Delivery[]> {
  return store.listDeliveries(db as Kysely<WebhooksDatabase>, filter, page);
}

/** Everything that tells why a delivery is where it is. */
export interface InspectedDelivery {
  readonly delivery: store.Delivery;
  readonly attempts: readonly store.LoggedAttempt[];
  /** Moves of the endpoint's breaker during the delivery's life, after the one that led into it. */
  readonly breakerMoves: readonly PastBreakerMove[];
  /** Why it waits beyond its time; only while it is pending. */
  readonly hold: EndpointHold | undefined;
}

/** One delivery with its attempts, or undefined when it is unknown, foreign or purged. */
export async function readDelivery(
  anyDb: AnyDatabase,
  accountId: string,
  id: string,
): Promise<InspectedDelivery | undefined> {
  const db = anyDb as Kysely<WebhooksDatabase>;
  const delivery = await store.findDelivery(db, accountId, id);
  if (delivery === undefined) return undefined;
  const { endpointId, createdAt, finishedAt } = delivery;
  return {
    delivery,
    attempts: await store.listAttempts(db, accountId, id),
    breakerMoves: await listBreakerMoves(db, { accountId, endpointId, from: createdAt, to: finishedAt }),
    hold: delivery.status === 'pending' ? await findEndpointHold(db, endpointId) : undefined,
  };
}
