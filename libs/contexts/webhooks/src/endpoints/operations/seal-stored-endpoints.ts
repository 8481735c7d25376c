import { sealAddress, type SecretBox } from '@steward/crypto';
import { transactInBatches, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { describeUrlContext } from '../rules/url-context.ts';
import { lockAddressesInClear, replaceAddress } from '../store/address-in-clear.store.ts';

const BATCH_SIZE = 100;

/**
 * Encrypts addresses that an earlier release stored in plaintext, including those of deleted endpoints. Each batch is
 * committed separately. Any number of processes may do this at once. Returns the number of endpoints whose address was
 * encrypted.
 */
export async function sealStoredEndpoints(db: AnyDatabase, box: SecretBox, signal?: AbortSignal): Promise<number> {
  return transactInBatches(db, { size: BATCH_SIZE, signal }, (trx) => sealBatch(trx, box));
}

async function sealBatch(trx: AnyTransaction, box: SecretBox): Promise<number> {
  const endpoints = await lockAddressesInClear(trx, BATCH_SIZE);
  for (const { id, url } of endpoints) await replaceAddress(trx, id, sealAddress(url, describeUrlContext(id), box));
  return endpoints.length;
}
