import type { AnyDatabase } from '@steward/database';
import type { EmitOptions } from '../../outbox/operations/emit-event.ts';
import { countAdded } from '../../outbox/operations/store-under-bound.ts';
import { computeFree } from '../../outbox/rules/outbox-quotas.ts';
import { lockAllShards } from '../../outbox/store/shard.store.ts';
import * as store from '../store/recovery.store.ts';

/**
 * Number of deliveries queued per transaction: small enough that producers of the account hardly wait for its counter.
 */
const BATCH_SIZE = 200;
/**
 * A recovery queues deliveries only while less than this share of the outbox is filled, so that it does not cause
 * current events to be refused.
 */
const OUTBOX_SHARE = 0.5;
const FULL_OUTBOX_PAUSE_SECONDS = 5;

export type RecoveryStep =
  /** No job is due. */
  | { readonly kind: 'idle' }
  /** The account's outbox is filled up to `OUTBOX_SHARE`; the job continues later. */
  | { readonly kind: 'postponed'; readonly jobId: string }
  | { readonly kind: 'queued'; readonly jobId: string; readonly queued: number; readonly finished: boolean };

/**
 * Executes one batch of the job that has waited longest. The job's row is locked for the transaction, so that workers
 * never share a batch, and the deliveries are committed with the job's new position: if the process is killed, the job
 * continues from its last position.
 */
export function runRecoveryBatch(db: AnyDatabase, options: EmitOptions): Promise<RecoveryStep> {
  return db.transaction().execute(async (trx): Promise<RecoveryStep> => {
    const job = await store.lockDueJob(trx);
    if (job === undefined) return { kind: 'idle' };
    const share = Math.max(1, Math.floor(options.maxPendingPerAccount * OUTBOX_SHARE));
    const held = await lockAllShards(trx, job.accountId);
    const room = computeFree(held, share);
    if (room <= 0) {
      await store.postponeJob(trx, job.id, FULL_OUTBOX_PAUSE_SECONDS);
      return { kind: 'postponed', jobId: job.id };
    }
    const step = await store.queueRecoveryBatch(trx, job, Math.min(BATCH_SIZE, room));
    if (step.queued > 0) {
      const bound = options.maxPendingPerAccount;
      await countAdded(trx, job.accountId, held, { bound, added: step.queued });
    }
    return { kind: 'queued', jobId: job.id, ...step };
  });
}
