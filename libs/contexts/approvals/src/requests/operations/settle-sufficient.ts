import type { HintSink } from '@steward/contracts';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { listVotes } from '../store/approval-vote.store.ts';
import { lockSufficientRequests } from '../store/sufficient-request.store.ts';
import { endRequest, type ApprovalOptions } from './resolve-request.ts';

const BATCH_SIZE = 50;

/**
 * Approves requests that already have at least as many approvals as their workflow now requires; the last approver
 * counts as the decider.
 */
export async function settleSufficientRequests(
  trx: AnyTransaction,
  hints: HintSink,
  options: ApprovalOptions,
): Promise<number> {
  const requests = await lockSufficientRequests(trx, BATCH_SIZE);
  if (requests.length === 0) return 0;
  const votes = await listVotes(
    trx,
    requests.map(({ id }) => id),
  );
  const at = await readDatabaseTime(trx);
  for (const request of requests) {
    const last = votes.get(request.id)?.findLast(({ decision }) => decision === 'approve');
    if (last === undefined) throw new Error('a request that reached its quorum has no approval');
    const actor = { kind: 'user', id: last.userId } as const;
    await endRequest(trx, hints, request, { status: 'approved', actor, comment: last.comment, at }, options);
  }
  return requests.length;
}
