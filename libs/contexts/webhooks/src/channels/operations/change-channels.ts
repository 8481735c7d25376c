import type { HintSink } from '@steward/contracts';
import { newId, readAddressOrigin, sealAddress, tryOpenAddress, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { addWakeHint, storeSecret } from '../../endpoints/operations/endpoint-secret.ts';
import { describeUrlContext } from '../../endpoints/rules/url-context.ts';
import { deleteEndpoint, lockEndpoint, updateEndpoint } from '../../endpoints/store/endpoint-change.store.ts';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import { MAX_CHANNELS_PER_ACCOUNT, type Channel, type NoticeType } from '../channel.ts';
import { countChannels, deleteToken, findChannel, insertChannel, type NewChannel } from '../store/channel.store.ts';

export type CreateChannelOutcome =
  { readonly kind: 'created'; readonly channel: Channel } | { readonly kind: 'limit_reached' };

export type ChannelInput = Omit<NewChannel, 'id' | 'address'> & {
  readonly url: string;
  readonly token: string | undefined;
};

/** Creates a notice channel. The caller must have checked the URL. */
export async function createChannel(
  trx: AnyTransaction,
  { url, token, ...input }: ChannelInput,
  secretBox: SecretBox,
): Promise<CreateChannelOutcome> {
  const { accountId } = input;
  await lockAccount(trx, accountId);
  if ((await countChannels(trx, accountId)) >= MAX_CHANNELS_PER_ACCOUNT) return { kind: 'limit_reached' };
  const id = newId();
  await insertChannel(trx, { ...input, id, address: sealAddress(url, describeUrlContext(id), secretBox) });
  if (token !== undefined) await storeToken(trx, { accountId, endpointId: id, token }, secretBox);
  const channel = await findChannel(trx, accountId, id);
  if (channel === undefined) throw new Error('the channel just inserted is missing');
  return { kind: 'created', channel };
}

export interface ChannelKey {
  readonly accountId: string;
  readonly channelId: string;
}

export interface ChannelPatch {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly notices?: readonly NoticeType[] | undefined;
  readonly active?: boolean | undefined;
  /** Null removes the token. */
  readonly token?: string | null | undefined;
}

/**
 * Changes a channel. Returns undefined if the channel does not exist. A new URL or `active: true` closes the breaker
 * immediately. A token is sent only to the origin for which it was set: a URL with another origin removes the token
 * unless there is a new one.
 */
export async function updateChannel(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, channelId, patch }: ChannelKey & { readonly patch: ChannelPatch },
  secretBox: SecretBox,
): Promise<Channel | undefined> {
  await lockAccount(trx, accountId);
  await lockEndpoint(trx, accountId, channelId);
  const before = await findChannel(trx, accountId, channelId);
  if (before === undefined) return undefined;
  const { url, token, notices, ...fields } = patch;
  const context = describeUrlContext(channelId);
  const isMoved = url !== undefined && url !== tryOpenAddress(before.address, context, secretBox);
  const isOtherHost = url !== undefined && readAddressOrigin(url) !== before.address.origin;
  const address = isMoved ? sealAddress(url, context, secretBox) : undefined;
  const isFresh = isMoved || patch.active === true;
  await updateEndpoint(trx, accountId, channelId, { ...fields, eventTypes: notices, address, isFresh });
  if (typeof token === 'string') await storeToken(trx, { accountId, endpointId: channelId, token }, secretBox);
  else if (token === null || isOtherHost) await deleteToken(trx, accountId, channelId);
  const channel = await findChannel(trx, accountId, channelId);
  if (channel === undefined) throw new Error('a locked channel no longer exists');
  if (channel.active && isFresh) addWakeHint(hints, accountId);
  return channel;
}

/** Deletes a channel and cancels its pending deliveries. Returns whether the channel existed. */
export async function deleteChannel(trx: AnyTransaction, { accountId, channelId }: ChannelKey): Promise<boolean> {
  await lockAccount(trx, accountId);
  if ((await findChannel(trx, accountId, channelId)) === undefined) return false;
  await deleteEndpoint(trx, accountId, channelId);
  await deleteToken(trx, accountId, channelId);
  return true;
}

async function storeToken(
  trx: AnyTransaction,
  { token, ...key }: { readonly accountId: string; readonly endpointId: string; readonly token: string },
  secretBox: SecretBox,
): Promise<void> {
  await storeSecret(trx, { ...key, secret: token, overlapSeconds: 0 }, secretBox);
}
