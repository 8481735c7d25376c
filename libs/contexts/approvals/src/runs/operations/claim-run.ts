import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { RequestKey } from '../../requests/approval-request.ts';
import { isApprovalUsable, lockApproval } from '../../requests/operations/hold-call.ts';
import { consumeRequest } from '../../requests/store/approval-request.store.ts';
import { findRun, insertKeptCall, saveRunning } from '../store/approval-run.store.ts';

/** State of an approved call that the service makes itself. */
export type ApprovedRun =
  /** The caller makes the call now, and no other caller will. */
  | { readonly kind: 'claimed'; readonly callSealed: Buffer }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly resultSealed: Buffer | null }
  /**
   * The process that started the call is considered dead: it is unknown whether the call was made, and the call is
   * never made again.
   */
  | { readonly kind: 'lost' }
  /** Another call has used the approval. */
  | { readonly kind: 'used' }
  /** The approval expired unused. */
  | { readonly kind: 'too_late' };

/** Stores the call of a pending request. */
export const keepCall = insertKeptCall;

/** Records that the call of a request is being made. Called in the transaction that uses up the approval. */
export const startRun = saveRunning;

/** Reads the state of a call; returns undefined if the call was not started. */
export async function readRun(
  db: AnyDatabase,
  key: RequestKey,
): Promise<Exclude<ApprovedRun, { readonly kind: 'claimed' | 'used' | 'too_late' }> | undefined> {
  const run = await findRun(db, key);
  if (run === undefined || run.state === 'kept') return undefined;
  if (run.state === 'done') return { kind: 'done', resultSealed: run.resultSealed };
  return { kind: run.isLost ? 'lost' : 'running' };
}

/**
 * Claims the stored call of an approved request, unless it has already been started: exactly one of several concurrent
 * callers gets the call. Returns undefined if no call was stored for the request, or the request is not approved.
 */
export async function claimRun(trx: AnyTransaction, key: RequestKey): Promise<ApprovedRun | undefined> {
  const approval = await lockApproval(trx, key);
  if (approval === undefined) return undefined;
  const known = await readRun(trx, key);
  if (known !== undefined) return known;
  const { callSealed = null } = (await findRun(trx, key)) ?? {};
  if (callSealed === null) return undefined;
  if (approval.isConsumed) return { kind: 'used' };
  if (!isApprovalUsable(approval)) return { kind: 'too_late' };
  await consumeRequest(trx, key);
  await saveRunning(trx, key, callSealed);
  return { kind: 'claimed', callSealed };
}
