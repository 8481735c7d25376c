import { sealAddress, type SecretBox } from '@steward/crypto';
import { transactInBatches, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { describeServerUrlContext } from '../rules/server-context.ts';
import { lockAddressesInClear, replaceAddress } from '../store/address-in-clear.store.ts';

const BATCH_SIZE = 100;

/**
 * Encrypts addresses that an earlier release stored in plaintext. Each batch is committed separately. Any number of
 * processes may do this at once. Returns the number of servers whose address was encrypted.
 */
export async function sealStoredServers(db: AnyDatabase, box: SecretBox, signal?: AbortSignal): Promise<number> {
  return transactInBatches(db, { size: BATCH_SIZE, signal }, (trx) => sealBatch(trx, box));
}

async function sealBatch(trx: AnyTransaction, box: SecretBox): Promise<number> {
  const servers = await lockAddressesInClear(trx, BATCH_SIZE);
  for (const { url, ...key } of servers) {
    await replaceAddress(trx, key, sealAddress(url, describeServerUrlContext(key), box));
  }
  return servers.length;
}
