import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { ClaimedBatch, StopReason } from '../embedding-work.ts';
import { describeWalk } from '../rules/describe-walk.ts';
import { reasonOfRefusal } from '../rules/reason-of-refusal.ts';
import { backOff, delayLimited, delayRefused, parkUntil, REFUSALS_OF_PROVIDER } from '../rules/work-delay.ts';
import { deleteCall } from '../store/embedding-call.store.ts';
import { findEmbeddingSetting, isApiKey, noteStop } from '../store/embedding-setting.store.ts';
import { settleSpend } from '../store/embedding-spend.store.ts';
import { countRefusal, returnTasks } from '../store/embedding-task.store.ts';
import { holdWork, lockWork, resumeWork, type HeldWork } from '../store/embedding-work.store.ts';

/** Outcome of a call in which nothing was embedded. */
export type FailedCall = {
  /** True if the call was sent and may have been processed: in this case, the reservation counts as spent. */
  readonly mayBeBilled: boolean;
} & (
  | { /** The call was never sent. */ readonly kind: 'unused' }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'misconfigured'; /** HTTP status of the response. */ readonly status?: number | undefined }
  | { readonly kind: 'unavailable' }
);

export type ReturnOutcome =
  | { readonly kind: 'returned'; readonly setAside: number; readonly stopped?: StopReason }
  | { readonly kind: 'lease_lost' };

/** Number of refusals after which a text that is sent individually is set aside. */
const MAX_ATTEMPTS = 3;

/**
 * Ends a call in which nothing was embedded. Its texts become pending again, so that another call can send them, except
 * a refused text that is set aside. The account is paused if the failure requires a pause.
 */
export function returnBatch(
  db: AnyDatabase,
  batch: ClaimedBatch,
  failure: FailedCall,
  random: () => number,
): Promise<ReturnOutcome> {
  const { accountId, callId, day, reservedUsd, tokens, claimedAt: occurredAt, provider, modelIdentifier } = batch;
  return db.transaction().execute(async (trx): Promise<ReturnOutcome> => {
    const work = await lockWork(trx, accountId);
    if (work === undefined || !(await deleteCall(trx, callId))) return { kind: 'lease_lost' };
    const trouble = { work, failure, random };
    const { setAside, stopped } = (await isCurrent(trx, batch))
      ? await (failure.kind === 'refused'
          ? returnRefused(trx, batch, { ...trouble, failure })
          : returnFailed(trx, batch, { ...trouble, failure }))
      : await returnOutdated(trx, batch);
    const call = {
      callId,
      occurredAt,
      provider,
      modelIdentifier,
      source: 'estimated',
      isFailed: true,
      tokens,
    } as const;
    const spent = failure.mayBeBilled
      ? { spentUsd: reservedUsd, tokens, usage: { ...call, spentUsd: reservedUsd } }
      : { spentUsd: 0, tokens: 0 };
    await settleSpend(trx, { accountId, day, reservedUsd, ...spent, isCall: failure.kind !== 'unused' });
    return { kind: 'returned', setAside, ...(stopped === undefined ? {} : { stopped }) };
  });
}

/**
 * Returns whether the setting is still that of the batch: if it was changed in the meantime, the error of the former
 * provider or key is not reported.
 */
async function isCurrent(trx: AnyTransaction, { accountId, walkFor, apiKeySealed }: ClaimedBatch): Promise<boolean> {
  const setting = await findEmbeddingSetting(trx, accountId);
  return describeWalk(setting) === walkFor && (await isApiKey(trx, { accountId, sealed: apiKeySealed }));
}

interface Returned {
  readonly setAside: number;
  readonly stopped?: StopReason | undefined;
}

interface Trouble<Failure extends FailedCall> {
  readonly work: HeldWork;
  readonly failure: Failure;
  readonly random: () => number;
}

type Refused = Extract<FailedCall, { kind: 'refused' }>;

async function returnOutdated(trx: AnyTransaction, { callId }: ClaimedBatch): Promise<Returned> {
  await returnTasks(trx, callId);
  return { setAside: 0 };
}

/**
 * Makes the texts of a refused batch pending again: they are retried in halves until a call contains only the text that
 * causes the refusal.
 */
async function returnRefused(trx: AnyTransaction, batch: ClaimedBatch, trouble: Trouble<Refused>): Promise<Returned> {
  const { accountId, callId, texts, isAlone } = batch;
  if (texts.length === 1) return weighRefusal(trx, batch, trouble);
  await returnTasks(trx, callId, Math.ceil(texts.length / 2));
  if (isAlone) await resumeWork(trx, { accountId, failures: trouble.work.failures });
  return { setAside: 0 };
}

/**
 * Counts a refusal of a single text. The refusal is attributed to the text if other texts are embedded successfully. If
 * several different texts are refused in a row, the provider is assumed to be misconfigured, and the account is paused.
 * In this case, and while nothing has been embedded in this walk yet, no text is set aside.
 */
async function weighRefusal(
  trx: AnyTransaction,
  { accountId, callId, isAlone }: ClaimedBatch,
  { work, failure, random }: Trouble<Refused>,
): Promise<Returned> {
  const isSuspect = work.failures >= REFUSALS_OF_PROVIDER || work.tokensPerByte === null;
  const maxAttempts = isSuspect ? undefined : MAX_ATTEMPTS;
  const refusal = { callId, error: failure.detail, maxAttempts, delayMs: delayRefused(1) };
  const { isFirst, isSetAside } = await countRefusal(trx, refusal);
  const setAside = isSetAside ? 1 : 0;
  // Several calls that fail at the same time count as one failure.
  if (work.isHeld && !isAlone) return { setAside };
  const failures = work.failures + (isFirst || isSuspect ? 1 : 0);
  if (failures < REFUSALS_OF_PROVIDER) {
    await resumeWork(trx, { accountId, failures });
    return { setAside };
  }
  const reason = 'semantic_provider_misconfigured';
  await hold(trx, { accountId, now: work.now, failures, delayMs: backOff(failures, random()), reason });
  return { setAside, stopped: reason };
}

async function returnFailed(
  trx: AnyTransaction,
  { accountId, callId, isAlone }: ClaimedBatch,
  { work, failure, random }: Trouble<Exclude<FailedCall, Refused>>,
): Promise<Returned> {
  await returnTasks(trx, callId);
  if (failure.kind === 'unused') {
    if (isAlone) await resumeWork(trx, { accountId, failures: work.failures });
    return { setAside: 0 };
  }
  if (work.isHeld && !isAlone) return { setAside: 0 };
  const failures = work.failures + 1;
  const { delayMs, reason } = judge(failure, { failures, random: random(), now: work.now });
  await hold(trx, { accountId, now: work.now, failures, delayMs, reason });
  return { setAside: 0, stopped: reason };
}

interface Hold {
  readonly accountId: string;
  readonly now: Date;
  readonly failures: number;
  readonly delayMs: number;
  readonly reason: StopReason;
}

async function hold(trx: AnyTransaction, { accountId, now, failures, delayMs, reason }: Hold): Promise<void> {
  await holdWork(trx, { accountId, until: new Date(now.getTime() + delayMs), failures });
  await noteStop(trx, { accountId, reason, now });
}

function judge(
  failure: Exclude<FailedCall, { kind: 'unused' | 'refused' }>,
  { failures, random, now }: { readonly failures: number; readonly random: number; readonly now: Date },
): { readonly delayMs: number; readonly reason: StopReason } {
  if (failure.kind === 'misconfigured') {
    return { delayMs: parkUntil(now).getTime() - now.getTime(), reason: reasonOfRefusal(failure.status) };
  }
  const isLimited = failure.kind === 'rate_limited';
  const delayMs = isLimited ? delayLimited(failure.retryAfterMs, failures, random) : backOff(failures, random);
  return { delayMs, reason: 'semantic_provider_error' };
}
