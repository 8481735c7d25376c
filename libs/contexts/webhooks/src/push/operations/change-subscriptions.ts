import { newId, sealAddress, tryOpenAddress, type SecretBox } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { storeSecret } from '../../endpoints/operations/endpoint-secret.ts';
import { describeUrlContext } from '../../endpoints/rules/url-context.ts';
import { deleteEndpoint, updateEndpoint } from '../../endpoints/store/endpoint-change.store.ts';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import { lockAllShards } from '../../outbox/store/shard.store.ts';
import type { NoticeType } from '../../channels/channel.ts';
import { MAX_SUBSCRIPTIONS_PER_USER, type PushKeys, type PushSubscription } from '../push-subscription.ts';
import {
  deleteSubscriptionRow,
  insertSubscription,
  listEndedSubscriptions,
  listSubscriptions,
  type NewSubscription,
  type StoredSubscription,
} from '../store/push-subscription.store.ts';

export type SubscriptionInput = Omit<NewSubscription, 'id' | 'address'> & {
  readonly url: string;
  readonly keys: PushKeys;
};

export type SubscribeOutcome =
  { readonly kind: 'subscribed'; readonly subscription: PushSubscription } | { readonly kind: 'limit_reached' };

/**
 * Subscribes a browser. If the browser is already subscribed with the same URL, its subscription is replaced. The
 * caller must have checked the URL.
 */
export async function subscribe(
  trx: AnyTransaction,
  { url, keys, ...input }: SubscriptionInput,
  secretBox: SecretBox,
): Promise<SubscribeOutcome> {
  const { accountId, userId } = input;
  await lockAccount(trx, accountId);
  const present = await listSubscriptions(trx, userId);
  const isSame = ({ id, sealed }: StoredSubscription): boolean =>
    tryOpenAddress({ url: null, sealed, origin: null }, describeUrlContext(id), secretBox) === url;
  const others = present.filter((each) => !isSame(each));
  if (others.length >= MAX_SUBSCRIPTIONS_PER_USER) return { kind: 'limit_reached' };
  for (const { id } of present.filter(isSame)) await remove(trx, accountId, id);
  const id = newId();
  await insertSubscription(trx, { ...input, id, address: sealAddress(url, describeUrlContext(id), secretBox) });
  const secret = JSON.stringify(keys);
  await storeSecret(trx, { accountId, endpointId: id, overlapSeconds: 0, secret }, secretBox);
  const [subscription] = (await listSubscriptions(trx, userId)).filter((each) => each.id === id);
  if (subscription === undefined) throw new Error('the subscription just inserted is missing');
  return { kind: 'subscribed', subscription };
}

export interface SubscriptionKey {
  readonly accountId: string;
  readonly userId: string;
  readonly subscriptionId: string;
}

/** Sets which notices are sent to a browser. Returns undefined if the person has no such subscription. */
export async function chooseNotices(
  trx: AnyTransaction,
  { accountId, userId, subscriptionId }: SubscriptionKey,
  notices: readonly NoticeType[],
): Promise<PushSubscription | undefined> {
  await lockAccount(trx, accountId);
  const find = async () => (await listSubscriptions(trx, userId)).find(({ id }) => id === subscriptionId);
  if ((await find()) === undefined) return undefined;
  await updateEndpoint(trx, accountId, subscriptionId, { eventTypes: notices, isFresh: false });
  return find();
}

/** Deletes a subscription of a person, and returns whether it existed. */
export async function unsubscribe(
  trx: AnyTransaction,
  { accountId, userId, subscriptionId }: SubscriptionKey,
): Promise<boolean> {
  await lockAccount(trx, accountId);
  if (!(await listSubscriptions(trx, userId)).some(({ id }) => id === subscriptionId)) return false;
  await remove(trx, accountId, subscriptionId);
  return true;
}

const ENDED_PER_BATCH = 100;

/**
 * Removes subscriptions that have ended, and cancels the messages that wait for them. Returns the number of removed
 * subscriptions.
 */
export async function removeEndedSubscriptions(db: AnyDatabase): Promise<number> {
  const ended = await listEndedSubscriptions(db, ENDED_PER_BATCH);
  for (const { id, accountId } of ended) {
    await db.transaction().execute(async (trx) => {
      await lockAllShards(trx, accountId);
      await remove(trx, accountId, id);
    });
  }
  return ended.length;
}

async function remove(trx: AnyTransaction, accountId: string, id: string): Promise<void> {
  await deleteEndpoint(trx, accountId, id);
  await deleteSubscriptionRow(trx, id);
}
