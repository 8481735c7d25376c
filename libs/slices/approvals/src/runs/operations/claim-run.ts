import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { RequestKey } from '../../requests/approval-request.ts';
import { isApprovalUsable, lockApproval } from '../../requests/operations/hold-call.ts';
import { consumeRequest } from '../../requests/store/approval-request.store.ts';
import { findRun, insertKeptCall, saveRunning } from '../store/approval-run.store.ts';

/** What there is to say of an approved call that the service makes itself. */
export type ApprovedRun =
  /** The caller makes it now: nobody else will. */
  | { readonly kind: 'claimed'; readonly callSealed: Buffer }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly resultSealed: Buffer | null }
  /** The process that made it died on the way: it ran or it did not, and never runs again. */
  | { readonly kind: 'lost' }
  /** The approval went with a call that somebody made elsewhere, or no call took it along in time. */
  | { readonly kind: 'used' }
  | { readonly kind: 'too_late' };

/** Keeps what a pending request asks to run. */
export const keepCall = insertKeptCall;

/** The call of a request whose approval this transaction uses up starts here. */
export const startRun = saveRunning;

/** Undefined: it did not start. */
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
 * Starts the kept call of an approved request, unless that was done: of any number at once one is told to make it.
 * Undefined: no call was kept for it, or the request is not approved.
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
