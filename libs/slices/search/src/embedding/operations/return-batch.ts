import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { ClaimedBatch, StopReason } from '../embedding-work.ts';
import { describeWalk } from '../rules/describe-walk.ts';
import { backOff, delayLimited, delayRefused, parkUntil } from '../rules/work-delay.ts';
import { deleteCall } from '../store/embedding-call.store.ts';
import { findEmbeddingSetting, isApiKey, noteStop } from '../store/embedding-setting.store.ts';
import { settleSpend } from '../store/embedding-spend.store.ts';
import { countRefusal, returnTasks } from '../store/embedding-task.store.ts';
import { holdWork, lockWork, releaseWork, type HeldWork } from '../store/embedding-work.store.ts';

/** How a call ended that embedded nothing. */
export type FailedCall = {
  /** It was sent, and may have been worked on: what was reserved counts as spent. */
  readonly mayBeBilled: boolean;
} & (
  | { /** Never made. */ readonly kind: 'unused' }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'misconfigured' }
  | { readonly kind: 'unavailable' }
);

export type ReturnOutcome =
  | { readonly kind: 'returned'; readonly setAside: number; readonly stopped?: StopReason }
  | { readonly kind: 'lease_lost' };

/** A text that was refused alone so often is set aside. */
const MAX_ATTEMPTS = 3;

/** Gives the texts of a call back for another, and holds their account as long as its provider needs. */
export function returnBatch(
  db: AnyDatabase,
  batch: ClaimedBatch,
  failure: FailedCall,
  random: () => number,
): Promise<ReturnOutcome> {
  const { accountId, callId, day, reservedUsd } = batch;
  return db.transaction().execute(async (trx): Promise<ReturnOutcome> => {
    const work = await lockWork(trx, accountId);
    if (work === undefined || !(await deleteCall(trx, callId))) return { kind: 'lease_lost' };
    const setAside = await returnTexts(trx, batch, failure);
    const stopped = await holdAccount(trx, batch, { work, failure, random });
    const spent = failure.mayBeBilled ? { spentUsd: reservedUsd, tokens: batch.tokens } : { spentUsd: 0, tokens: 0 };
    await settleSpend(trx, { accountId, day, reservedUsd, ...spent, isCall: failure.kind !== 'unused' });
    return { kind: 'returned', setAside, ...(stopped === undefined ? {} : { stopped }) };
  });
}

/** A batch that was refused goes on in halves until the text that is at fault is alone. Answers how many were set aside. */
async function returnTexts(trx: AnyTransaction, { callId, texts }: ClaimedBatch, failure: FailedCall): Promise<number> {
  if (failure.kind !== 'refused') {
    await returnTasks(trx, callId);
    return 0;
  }
  if (texts.length > 1) {
    await returnTasks(trx, callId, Math.ceil(texts.length / 2));
    return 0;
  }
  const refusal = { callId, error: failure.detail, maxAttempts: MAX_ATTEMPTS, delayMs: delayRefused(1) };
  return (await countRefusal(trx, refusal)) ? 1 : 0;
}

interface Trouble {
  readonly work: HeldWork;
  readonly failure: FailedCall;
  readonly random: () => number;
}

async function holdAccount(
  trx: AnyTransaction,
  batch: ClaimedBatch,
  { work, failure, random }: Trouble,
): Promise<StopReason | undefined> {
  const { accountId, isAlone, tokensPerByte } = batch;
  if (failure.kind === 'unused' || failure.kind === 'refused') {
    // It answers: others may go on.
    if (isAlone) await releaseWork(trx, accountId, tokensPerByte ?? null);
    return undefined;
  }
  // Whoever changed the setting meanwhile is not told of the former provider, and calls that fail together are one failure.
  const setting = await findEmbeddingSetting(trx, accountId);
  if (describeWalk(setting) !== batch.walkFor || (work.isHeld && !isAlone)) return undefined;
  if (!(await isApiKey(trx, { accountId, sealed: batch.apiKeySealed }))) return undefined;
  const failures = work.failures + 1;
  const { delayMs, reason } = judge(failure, { failures, random: random(), now: work.now });
  await holdWork(trx, { accountId, until: new Date(work.now.getTime() + delayMs), failures });
  await noteStop(trx, { accountId, reason, now: work.now });
  return reason;
}

function judge(
  failure: Exclude<FailedCall, { kind: 'unused' | 'refused' }>,
  { failures, random, now }: { readonly failures: number; readonly random: number; readonly now: Date },
): { readonly delayMs: number; readonly reason: StopReason } {
  if (failure.kind === 'misconfigured') {
    return { delayMs: parkUntil(now).getTime() - now.getTime(), reason: 'semantic_provider_misconfigured' };
  }
  const isLimited = failure.kind === 'rate_limited';
  const delayMs = isLimited ? delayLimited(failure.retryAfterMs, failures, random) : backOff(failures, random);
  return { delayMs, reason: 'semantic_provider_error' };
}
