import type { AnyDatabase } from '@steward/database';
import type { Kysely } from 'kysely';
import type { WebhooksDatabase } from '../schema.ts';
import * as store from '../store/delivery.store.ts';
import type { AttemptRecord } from '../store/settle.store.ts';

/** Deliveries of an account, newest first. */
export function listDeliveries(
  db: AnyDatabase,
  filter: store.DeliveryFilter,
  page: { readonly beforeId: string | undefined; readonly limit: number },
): Promise<store.Delivery[]> {
  return store.listDeliveries(db as Kysely<WebhooksDatabase>, filter, page);
}

/** One delivery with its attempts, or undefined when it is unknown, foreign or purged. */
export async function readDelivery(
  anyDb: AnyDatabase,
  accountId: string,
  id: string,
): Promise<{ readonly delivery: store.Delivery; readonly attempts: readonly AttemptRecord[] } | undefined> {
  const db = anyDb as Kysely<WebhooksDatabase>;
  const delivery = await store.findDelivery(db, accountId, id);
  if (delivery === undefined) return undefined;
  return { delivery, attempts: await store.listAttempts(db, accountId, id) };
}
