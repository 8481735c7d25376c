import type { AnyTransaction } from '@steward/database';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import * as store from '../store/endpoint-change.store.ts';
import { findOwnEndpoint, type ChangeRefusal, type EndpointKey } from './find-own-endpoint.ts';

/**
 * Marks an endpoint as deleted: pending deliveries are cancelled, and the history is kept until its retention period
 * ends.
 */
export async function deleteEndpoint(
  trx: AnyTransaction,
  key: EndpointKey,
): Promise<{ readonly kind: 'deleted'; readonly cancelled: number } | ChangeRefusal> {
  await lockAccount(trx, key.accountId);
  const before = await findOwnEndpoint(trx, key);
  if (before.kind !== 'found') return before;
  return { kind: 'deleted', cancelled: await store.deleteEndpoint(trx, key.accountId, key.endpointId) };
}
