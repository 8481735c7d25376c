import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { toStorableText } from '@steward/text';
import type { DeletionActor, DeletionFilters, DeletionJob } from '../deletion-job.ts';
import { countRunningJobs, insertJob, lockJobs } from '../store/deletion-job.store.ts';

/** Maximum number of concurrent deletions per account (LIM-42). */
export const MOST_DELETIONS = 20;

export type DeletionRequestOutcome =
  { readonly kind: 'queued'; readonly job: DeletionJob } | { readonly kind: 'too_many'; readonly limit: number };

/** Queues the deletion of all matching sessions for `runDeletionBatch`; a dry run only counts them. */
export async function requestDeletion(
  trx: AnyTransaction,
  request: {
    readonly accountId: string;
    readonly filters: DeletionFilters;
    readonly dryRun: boolean;
    readonly actor: DeletionActor;
  },
): Promise<DeletionRequestOutcome> {
  await lockJobs(trx, request.accountId);
  if ((await countRunningJobs(trx, request.accountId)) >= MOST_DELETIONS)
    return { kind: 'too_many', limit: MOST_DELETIONS };
  const { runtimePrincipalId } = request.filters;
  const storable = runtimePrincipalId === undefined ? {} : { runtimePrincipalId: toStorableText(runtimePrincipalId) };
  const job = await insertJob(trx, { ...request, id: newId(), filters: { ...request.filters, ...storable } });
  return { kind: 'queued', job };
}
