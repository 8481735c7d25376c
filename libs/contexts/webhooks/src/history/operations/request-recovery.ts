import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { findEndpoint } from '../../endpoints/store/endpoint.store.ts';
import * as store from '../store/recovery.store.ts';

export type RecoveryOutcome =
  | {
      readonly kind: 'accepted';
      /** Number of dead deliveries in the scope that have not been queued again. */
      readonly matched: number;
      /** Number of deliveries that the job will queue: those whose endpoint is active; 0 in a dry run. */
      readonly queued: number;
      /** Id of the job; undefined in a dry run, or if there is nothing to queue. */
      readonly jobId: string | undefined;
    }
  | { readonly kind: 'not_found' };

/**
 * Requests that dead deliveries be sent again, each as a new generation of its event. The deliveries are counted
 * immediately, and queued by `runRecoveryBatch` in the background. A delivery that has been replayed or recovered since
 * it failed permanently is not matched. Returns `not_found` if the named endpoint does not exist.
 */
export async function requestRecovery(
  trx: AnyTransaction,
  scope: store.RecoveryScope & { readonly traceparent: string },
  options: { readonly dryRun: boolean },
): Promise<RecoveryOutcome> {
  if (scope.endpointId !== undefined) {
    const endpoint = await findEndpoint(trx, { accountId: scope.accountId }, scope.endpointId);
    if (endpoint === undefined) return { kind: 'not_found' };
  }
  const { matched, queueable } = await store.countRecoverable(trx, scope);
  if (options.dryRun || queueable === 0) return { kind: 'accepted', matched, queued: 0, jobId: undefined };
  const jobId = newId();
  await store.insertRecoveryJob(trx, { ...scope, id: jobId, matched });
  return { kind: 'accepted', matched, queued: queueable, jobId };
}
