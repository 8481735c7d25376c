import type { AnyTransaction } from '@steward/database';
import { computeFree, dealQuotas, type HeldShards } from '../rules/outbox-quotas.ts';
import {
  clearRefusal,
  existsEvent,
  insertEvent,
  stampRefusal,
  type NewEvent,
  type PickedOutbox,
} from '../store/outbox.store.ts';
import { closeShards, lockShards, saveShards } from '../store/shard.store.ts';

export type StoreOutcome =
  | { readonly kind: 'stored'; readonly deliveryIds: readonly string[] }
  | { readonly kind: 'no_endpoint' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly reason: 'outbox_full' };

/**
 * Stores an event on the slow path, used if no shard of the counter is below its quota, or if this transaction already
 * holds a shard and no other suitable one is unlocked. It locks all shards (see `lockShards` for the exception),
 * compares the number of rows with the limit, and redistributes the remaining capacity. This path is normally needed
 * only for one of many events, and once after a change of `WEBHOOK_MAX_PENDING_PER_ACCOUNT`. It is needed for each
 * event near the limit, and after a refusal until there is capacity again.
 */
export async function storeUnderBound(
  trx: AnyTransaction,
  event: NewEvent,
  { endpointIds, deliveries }: Pick<PickedOutbox, 'endpointIds' | 'deliveries'>,
  bound: number,
): Promise<StoreOutcome> {
  const { accountId } = event;
  const held = await lockShards(trx, accountId);
  if (computeFree(held, bound) < deliveries) {
    if (await existsEvent(trx, accountId, event.id)) return { kind: 'duplicate' };
    if (held.complete) await closeShards(trx, accountId);
    await stampRefusal(trx, accountId);
    return { kind: 'refused', reason: 'outbox_full' };
  }
  const stored = await storeInShard(trx, event, endpointIds, undefined);
  if (stored.kind === 'stored') await countAdded(trx, accountId, held, { bound, added: stored.deliveryIds.length });
  return stored;
}

/** Stores an event. Its deliveries are counted in `shard`, which is locked; without `shard`, the caller counts them. */
export async function storeInShard(
  trx: AnyTransaction,
  event: NewEvent,
  endpointIds: readonly string[],
  shard: number | undefined,
): Promise<StoreOutcome> {
  const deliveryIds = await insertEvent(trx, event, endpointIds, shard);
  if (deliveryIds !== undefined) return { kind: 'stored', deliveryIds };
  // The endpoints may have been deleted in the meantime.
  return (await existsEvent(trx, event.accountId, event.id)) ? { kind: 'duplicate' } : { kind: 'no_endpoint' };
}

/**
 * Counts rows that were added while the account's shards were locked, and redistributes the remaining capacity. If
 * events were refused before, also removes the mark for refused events from the endpoints of the account.
 */
export async function countAdded(
  trx: AnyTransaction,
  accountId: string,
  held: HeldShards,
  { bound, added }: { readonly bound: number; readonly added: number },
): Promise<void> {
  await saveShards(trx, accountId, dealQuotas(held, bound, added));
  if (held.shards.some((shard) => shard.bound === 0)) await clearRefusal(trx, [accountId]);
}
