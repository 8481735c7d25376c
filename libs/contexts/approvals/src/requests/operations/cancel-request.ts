import type { HintSink } from '@steward/contracts';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import type { ApprovalActor, ApprovalRequest, RequestKey } from '../approval-request.ts';
import { lockRequest } from '../store/approval-request.store.ts';
import { endRequest, type ApprovalOptions } from './resolve-request.ts';

export type CancelOutcome =
  | { readonly kind: 'cancelled'; readonly request: ApprovalRequest }
  | { readonly kind: 'already_resolved'; readonly request: ApprovalRequest }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_allowed' };

/** Cancels a request that no longer needs a decision. @param mayCancel returns whether the caller may do this */
export async function cancelRequest(
  trx: AnyTransaction,
  hints: HintSink,
  cancellation: RequestKey & {
    readonly actor: ApprovalActor;
    readonly comment: string | null;
    readonly mayCancel: (request: ApprovalRequest) => boolean;
  },
  options: ApprovalOptions,
): Promise<CancelOutcome> {
  const { actor, comment, mayCancel, ...key } = cancellation;
  const request = await lockRequest(trx, key);
  if (request === undefined) return { kind: 'not_found' };
  if (!mayCancel(request)) return { kind: 'not_allowed' };
  if (request.status !== 'pending') return { kind: 'already_resolved', request };
  const resolution = { status: 'cancelled', actor, comment, at: await readDatabaseTime(trx) } as const;
  return { kind: 'cancelled', request: await endRequest(trx, hints, request, resolution, options) };
}
