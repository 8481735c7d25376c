import { newId } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { countMostUnmoved } from '../../vectors/rules/retrieval.ts';
import { hasMoreUnmoved } from '../../vectors/store/chunk-vector.store.ts';
import type { Claim, ClaimedBatch, ClaimPlaces, StopReason, WorkSettings } from '../embedding-work.ts';
import { describeWalk } from '../rules/describe-walk.ts';
import { fitBatches, type BatchLimits, type EmbeddableText, type FittedBatch } from '../rules/fit-batches.ts';
import { capForCorpus, priceOf, sumUsd } from '../rules/price.ts';
import { utcDay } from '../rules/utc-day.ts';
import { parkForCap, parkUntil } from '../rules/work-delay.ts';
import { expireCalls, hasCalls, insertCalls } from '../store/embedding-call.store.ts';
import { noteStop } from '../store/embedding-setting.store.ts';
import { readSpend, reserveCalls, type CallsReservation } from '../store/embedding-spend.store.ts';
import { holdWork, lockDueWork, readNextDueMs, type DueWork } from '../store/embedding-work.store.ts';
import { beginWalk, endWalk, findTexts, settleWalk, type Walk } from './walk-corpus.ts';

/** Limit of tokens per call: the lowest known limit of providers, with a margin in case an estimate was too low. */
const MAX_TOKENS = 200_000;
/**
 * Delay until an account is checked again if its calls in flight reserve the rest of its cap, or if its vectors have to
 * be moved first.
 */
const SETTLING_MS = 1000;

/** Provider to which an account's texts are sent. */
interface Target extends Pick<ClaimedBatch, 'provider' | 'baseUrl' | 'modelIdentifier' | 'pricePerMtok'> {
  readonly capUsd: number;
}

/**
 * Claims the next batches of the account that has waited longest, and reserves their cost. If none can be claimed,
 * stores the time of the next check, together with the reason for a stop or the position of the walk. Uses one short
 * transaction with the account's work locked; no provider is called in this transaction.
 *
 * @param places - number of batches: claiming several in one transaction lets a process run several calls at the same
 * time; while other accounts are due, an account gets at most its share, however slow its provider is
 */
export function claimBatches(db: AnyDatabase, settings: WorkSettings, places: ClaimPlaces): Promise<Claim> {
  const { busy, room, share, waiting } = places;
  return db.transaction().execute(async (trx): Promise<Claim> => {
    const sharers = [...waiting].flatMap(([accountId, count]) => (count >= share ? [accountId] : []));
    const due = await lockDueWork(trx, { sharers, mayFill: room > 0 && busy.length <= 1 });
    if (due === undefined) return { kind: 'nothing', dueInMs: await readNextDueMs(trx, sharers) };
    const isOnlyDue = due.isOnlyDue && busy.every((accountId) => accountId === due.accountId);
    const most = isOnlyDue ? Math.max(1, room) : share - (waiting.get(due.accountId) ?? 0);
    if (due.hasExpired) await expireCalls(trx, due.accountId);
    return serve(trx, { ...due, isOnlyDue }, settings, most);
  });
}

async function serve(trx: AnyTransaction, work: DueWork, settings: WorkSettings, most: number): Promise<Claim> {
  const { accountId, provider, baseUrl, modelIdentifier, now } = work;
  if (!work.isEnabled || provider === null || baseUrl === null || modelIdentifier === null) {
    await holdWork(trx, { accountId, until: null, failures: 0 });
    return { kind: 'looked', accountId };
  }
  const pricePerMtok = priceOf(settings.prices, modelIdentifier);
  if (pricePerMtok === undefined) return stop(trx, work, 'unpriced_model', parkUntil(now));
  const settledAt = settings.readSettledTime(work);
  const walk = await beginWalk(trx, work, { walkFor: describeWalk(work), settledAt });
  if (await isBehind(trx, walk)) return lookAgain(trx, work);
  // Calls run one at a time until something has been embedded in this walk, and after failures.
  const isAlone = walk.tokensPerByte === undefined || work.failures > 0;
  const { batchSize } = settings;
  const texts = await findTexts(trx, walk, { batchSize, batches: isAlone ? 1 : most });
  if (texts.length === 0) {
    await endWalk(trx, walk, settings);
    return { kind: 'looked', accountId };
  }
  const capUsd = capForCorpus(work.dailyCapUsd ?? settings.deploymentCapUsd);
  const limits = { maxTexts: batchSize, maxTokens: MAX_TOKENS, pricePerMtok, capUsd };
  const fitted = fitBatches(texts, { ...limits, tokensPerByte: walk.tokensPerByte });
  const wanted = isAlone ? fitted.slice(0, 1) : fitted;
  const key = { accountId, now, capUsd, pricePerMtok };
  const reserved = await reserveOrCut(trx, wanted, { ...limits, tokensPerByte: walk.tokensPerByte }, key);
  if (reserved === undefined) return lookAgain(trx, work);
  const { batches, isBelowCap } = reserved;
  if (batches.length === 0) return stop(trx, work, 'semantic_daily_cap_reached', parkForCap(now));
  const target = { provider, baseUrl, modelIdentifier, pricePerMtok, capUsd };
  return call(trx, walk, settings, { batches, isAlone: isAlone || !isBelowCap, target });
}

interface Reserved {
  readonly batches: readonly FittedBatch[];
  /** True if the account stays below its cap even if other calls run at the same time. */
  readonly isBelowCap: boolean;
}

/**
 * Reserves batches. If none fits, returns undefined while calls in flight may still release part of their reservations.
 * If no call is in flight, reserves again, since the last call may have ended after the first attempt: while the
 * account's work is locked, no other call can start, so the second result is final.
 */
async function reserveForGood(...[trx, batches, key]: Parameters<typeof reserve>): Promise<Reserved | undefined> {
  const reserved = await reserve(trx, batches, key);
  if (reserved.batches.length > 0) return reserved;
  return (await hasCalls(trx, key.accountId)) ? undefined : reserve(trx, batches, key);
}

/**
 * Reserves batches as `reserveForGood` does; if its final result is that none fits, reduces the first batch to what
 * remains of the day's cap.
 */
async function reserveOrCut(
  trx: AnyTransaction,
  wanted: readonly FittedBatch[],
  limits: BatchLimits,
  key: Parameters<typeof reserve>[2],
): Promise<Reserved | undefined> {
  const reserved = await reserveForGood(trx, wanted, key);
  if (reserved?.batches.length !== 0) return reserved;
  return reserveRest(trx, limits, { ...key, texts: wanted[0]?.texts ?? [] });
}

/**
 * Reserves as many of the texts as the rest of the day's cap allows. It is called only when no call in flight can
 * release part of its reservation.
 */
async function reserveRest(
  trx: AnyTransaction,
  limits: BatchLimits,
  { texts, ...key }: Parameters<typeof reserve>[2] & { readonly texts: readonly EmbeddableText[] },
): Promise<Reserved> {
  const leftUsd = key.capUsd - (await readSpend(trx, key));
  const [batch] = fitBatches(texts, { ...limits, capUsd: leftUsd });
  if (batch === undefined || batch.texts.length === texts.length) return { batches: [], isBelowCap: false };
  return reserve(trx, [batch], key);
}

/**
 * Reserves all batches, or the first ones whose maximum cost fits under the cap, or a single one if its expected cost
 * fits.
 */
async function reserve(
  trx: AnyTransaction,
  batches: readonly FittedBatch[],
  key: Omit<CallsReservation, 'usd' | 'mostUsd' | 'isOne'>,
): Promise<Reserved> {
  const usd = sumUsd(batches.map(({ costUsd }) => costUsd));
  const all = { ...key, usd, mostUsd: sumUsd(batches.map(({ mostUsd }) => mostUsd)), isOne: batches.length === 1 };
  const isBelowCap = await reserveCalls(trx, all);
  if (isBelowCap !== undefined) return { batches, isBelowCap };
  if (batches.length === 1) return { batches: [], isBelowCap: false };
  for (const [index, { costUsd, mostUsd }] of batches.entries()) {
    const reserved = batches.slice(0, index);
    const beyondUsd = sumUsd(reserved.map((batch) => batch.mostUsd - batch.costUsd));
    const one = { ...key, usd: costUsd, mostUsd: sumUsd([mostUsd, beyondUsd]), isOne: index === 0 };
    const isNextBelowCap = await reserveCalls(trx, one);
    if (isNextBelowCap === undefined) return { batches: reserved, isBelowCap: true };
    if (!isNextBelowCap) return { batches: batches.slice(0, 1), isBelowCap: false };
  }
  return { batches, isBelowCap: true };
}

interface CallPlan {
  readonly batches: readonly FittedBatch[];
  readonly isAlone: boolean;
  readonly target: Target;
}

async function call(
  trx: AnyTransaction,
  walk: Walk,
  settings: WorkSettings,
  { batches, isAlone, target }: CallPlan,
): Promise<Claim> {
  const { work, walkFor, tokensPerByte, space } = walk;
  const { accountId, now } = work;
  const day = utcDay(now);
  const { provider, baseUrl, modelIdentifier, pricePerMtok } = target;
  const claimed = batches.map(({ texts, bytes, tokens, costUsd }): ClaimedBatch => ({
    callId: newId(),
    accountId,
    walkFor,
    provider,
    baseUrl,
    modelIdentifier,
    apiKeySealed: work.apiKeySealed,
    texts,
    bytes,
    tokens,
    pricePerMtok,
    day,
    reservedUsd: costUsd,
    tokensPerByte,
    isAlone,
    isDegraded: work.isDegraded,
    spaceId: space?.id,
    claimedAt: now,
  }));
  const calls = claimed.map(({ callId, reservedUsd, texts }) => ({
    id: callId,
    reservedUsd,
    chunkIds: texts.map(({ chunkId }) => chunkId),
  }));
  const leaseUntil = await insertCalls(trx, {
    ...{ accountId, day, provider, modelIdentifier, calls },
    leaseSeconds: settings.leaseSeconds,
  });
  const takenTo = claimed.at(-1)?.texts.at(-1)?.chunkId;
  await settleWalk(trx, walk, { takenTo, settings, heldUntil: isAlone ? leaseUntil : undefined });
  return { kind: 'batches', batches: claimed, isOnlyDue: work.isOnlyDue };
}

/**
 * Returns whether the shared table contains more vectors of the space than a search can compare quickly. This happens
 * if the provider returns vectors faster than they are moved to the segment.
 */
async function isBehind(trx: AnyTransaction, { space }: Walk): Promise<boolean> {
  return (
    space !== undefined &&
    space.segment !== null &&
    (await hasMoreUnmoved(trx, space.id, countMostUnmoved(space.width)))
  );
}

async function lookAgain(trx: AnyTransaction, { accountId, failures, now }: DueWork): Promise<Claim> {
  await holdWork(trx, { accountId, until: new Date(now.getTime() + SETTLING_MS), failures });
  return { kind: 'looked', accountId };
}

async function stop(trx: AnyTransaction, work: DueWork, reason: StopReason, until: Date): Promise<Claim> {
  const { accountId, now } = work;
  await holdWork(trx, { accountId, until, failures: 0 });
  await noteStop(trx, { accountId, reason, now });
  return { kind: 'looked', accountId, stopped: reason };
}
