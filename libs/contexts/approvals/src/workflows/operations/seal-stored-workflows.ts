import type { SecretBox } from '@steward/crypto';
import { transactInBatches, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { sealReceivers } from '../rules/receivers.ts';
import { lockReceiversInClear, saveReceiverColumns } from '../store/receivers-in-clear.store.ts';

const BATCH_SIZE = 100;

/**
 * Seals addresses that an earlier release stored in plaintext, in separately committed batches. Several processes may
 * run this at the same time. Returns the number of sealed workflows.
 */
export async function sealStoredWorkflows(db: AnyDatabase, box: SecretBox, signal?: AbortSignal): Promise<number> {
  return transactInBatches(db, { size: BATCH_SIZE, signal }, (trx) => sealBatch(trx, box));
}

async function sealBatch(trx: AnyTransaction, box: SecretBox): Promise<number> {
  const workflows = await lockReceiversInClear(trx, BATCH_SIZE);
  for (const { receivers, ...key } of workflows) {
    await saveReceiverColumns(trx, key, sealReceivers(receivers, key, box));
  }
  return workflows.length;
}
