import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { newId } from '@steward/runtime';
import type { Kysely, Transaction } from 'kysely';
import { computeRoom } from '../rules/outbox-quotas.ts';
import type { WebhooksDatabase } from '../schema.ts';
import { findEndpoint } from '../store/endpoint.store.ts';
import * as store from '../store/recovery.store.ts';
import { lockAllShards } from '../store/shard.store.ts';
import type { EmitOptions } from './emit-event.ts';
import { countAdded } from './store-under-bound.ts';

/** Deliveries queued in one transaction: short enough that producers of the account hardly wait for its counter. */
const BATCH_SIZE = 200;
/** A recovery fills at most this part of the outbox, so that it never crowds out events that happen now. */
const OUTBOX_SHARE = 0.5;
const FULL_OUTBOX_PAUSE_SECONDS = 5;

export type RecoveryOutcome =
  | {
      readonly kind: 'accepted';
      /** Dead deliveries in the scope that were not queued again before. */
      readonly matched: number;
      /** Those whose endpoint takes them; what the job will queue. 0 on a dry run. */
      readonly queued: number;
      /** Undefined on a dry run, or when there is nothing to queue. */
      readonly jobId: string | undefined;
    }
  | { readonly kind: 'not_found' };

/**
 * Asks for dead deliveries to be sent again, each as a new generation of its event: counted now, queued by
 * `runRecoveryBatch` in the background. A delivery that was replayed or recovered since it died is not matched.
 * `not_found` when the endpoint named does not exist.
 */
export async function requestRecovery(
  anyTrx: AnyTransaction,
  scope: store.RecoveryScope,
  options: { readonly dryRun: boolean },
): Promise<RecoveryOutcome> {
  const trx = anyTrx as Transaction<WebhooksDatabase>;
  if (scope.endpointId !== undefined) {
    const endpoint = await findEndpoint(trx, scope.accountId, scope.endpointId);
    if (endpoint === undefined) return { kind: 'not_found' };
  }
  const { matched, queueable } = await store.countRecoverable(trx, scope);
  if (options.dryRun || queueable === 0) return { kind: 'accepted', matched, queued: 0, jobId: undefined };
  const jobId = newId();
  await store.insertRecoveryJob(trx, { ...scope, id: jobId, matched });
  return { kind: 'accepted', matched, queued: queueable, jobId };
}

export function findRecoveryJob(
  db: AnyDatabase,
  accountId: string,
  id: string,
): Promise<store.RecoveryJob | undefined> {
  return store.findRecoveryJob(db as Kysely<WebhooksDatabase>, accountId, id);
}

export type RecoveryStep =
  /** No job is due. */
  | { readonly kind: 'idle' }
  /** The account's outbox is as full as a recovery may make it; the job goes on later. */
  | { readonly kind: 'postponed'; readonly jobId: string }
  | { readonly kind: 'queued'; readonly jobId: string; readonly queued: number; readonly finished: boolean };

/**
 * One batch of the job that waited longest. The job's row is locked for the transaction, so workers never share a batch,
 * and the deliveries are committed with the job's new position: killed at any moment, it goes on where it was.
 */
export function runRecoveryBatch(anyDb: AnyDatabase, options: EmitOptions): Promise<RecoveryStep> {
  const db = anyDb as Kysely<WebhooksDatabase>;
  return db.transaction().execute(async (trx): Promise<RecoveryStep> => {
    const job = await store.lockDueJob(trx);
    if (job === undefined) return { kind: 'idle' };
    const share = Math.max(1, Math.floor(options.maxPendingPerAccount * OUTBOX_SHARE));
    const held = await lockAllShards(trx, job.accountId);
    const room = computeRoom(held, share);
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
