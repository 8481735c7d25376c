import { newId, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { generateSecret, storeSecret } from '../../endpoints/operations/endpoint-secret.ts';
import { deleteEndpoint, updateEndpoint } from '../../endpoints/store/endpoint-change.store.ts';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import { MAX_LISTENERS_PER_ACCOUNT, type Listener } from '../listener.ts';
import {
  countListeners,
  deleteListenerRow,
  findListener,
  insertListener,
  type NewListener,
} from '../store/listener.store.ts';

export type CreateListenerOutcome =
  | { readonly kind: 'created'; readonly listener: Listener; readonly secret: string }
  | { readonly kind: 'limit_reached' };

/** Creates a listener, which receives the account's events from then on. The secret is returned only here. */
export async function createListener(
  trx: AnyTransaction,
  input: Omit<NewListener, 'id'>,
  secretBox: SecretBox,
): Promise<CreateListenerOutcome> {
  const { accountId } = input;
  await lockAccount(trx, accountId);
  if ((await countListeners(trx, accountId)) >= MAX_LISTENERS_PER_ACCOUNT) return { kind: 'limit_reached' };
  const id = newId();
  await insertListener(trx, { ...input, id });
  const secret = generateSecret();
  await storeSecret(trx, { accountId, endpointId: id, overlapSeconds: 0, secret }, secretBox);
  const listener = await findListener(trx, accountId, id);
  if (listener === undefined) throw new Error('the listener just inserted is missing');
  return { kind: 'created', listener, secret };
}

export interface ListenerKey {
  readonly accountId: string;
  readonly listenerId: string;
}

export interface ListenerPatch {
  readonly description?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
}

/** Changes a listener; returns undefined if it does not exist. Changed types apply only to later events. */
export async function updateListener(
  trx: AnyTransaction,
  { accountId, listenerId }: ListenerKey,
  patch: ListenerPatch,
): Promise<Listener | undefined> {
  await lockAccount(trx, accountId);
  if ((await findListener(trx, accountId, listenerId)) === undefined) return undefined;
  await updateEndpoint(trx, accountId, listenerId, { ...patch, isFresh: false });
  return findListener(trx, accountId, listenerId);
}

/** Deletes a listener, and returns whether it existed. Its stored events are deleted in the background. */
export async function deleteListener(trx: AnyTransaction, { accountId, listenerId }: ListenerKey): Promise<boolean> {
  await lockAccount(trx, accountId);
  if (!(await deleteListenerRow(trx, accountId, listenerId))) return false;
  await deleteEndpoint(trx, accountId, listenerId);
  return true;
}
