import type { HintSink } from '@steward/contracts';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { lockRequestsOfExecutions } from '../store/waiting-execution.store.ts';
import { endRequest, SYSTEM_ACTOR, type ApprovalOptions } from './resolve-request.ts';

/** Cancels pending requests of ended executions. @returns the number of requests */
export async function cancelRequestsOfExecutions(
  trx: AnyTransaction,
  hints: HintSink,
  endedExecutionIds: readonly string[],
  options: ApprovalOptions,
): Promise<number> {
  const requests = await lockRequestsOfExecutions(trx, endedExecutionIds);
  const at = await readDatabaseTime(trx);
  for (const request of requests) {
    const resolution = { status: 'cancelled', actor: SYSTEM_ACTOR, comment: 'The execution ended.', at } as const;
    await endRequest(trx, hints, request, resolution, options);
  }
  return requests.length;
}
