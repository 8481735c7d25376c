import type { HintSink } from '@steward/contracts';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import type { ApprovalActor } from '../approval-request.ts';
import { lockPendingOfAccount } from '../store/approval-request.store.ts';
import { endRequest, type ApprovalOptions } from './resolve-request.ts';

/**
 * Cancels up to a given number of an account's pending requests. Returns the ids of these requests; if there are fewer
 * ids than this number, no pending requests are left.
 */
export async function cancelRequestsOfAccount(
  trx: AnyTransaction,
  hints: HintSink,
  input: {
    readonly accountId: string;
    readonly actor: ApprovalActor;
    readonly comment: string;
    readonly limit: number;
  },
  options: ApprovalOptions,
): Promise<string[]> {
  const requests = await lockPendingOfAccount(trx, input);
  const at = await readDatabaseTime(trx);
  const { actor, comment } = input;
  for (const request of requests)
    await endRequest(trx, hints, request, { status: 'cancelled', actor, comment, at }, options);
  return requests.map(({ id }) => id);
}
