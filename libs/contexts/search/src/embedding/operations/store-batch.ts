import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { choosePresentSpace } from '../../vectors/rules/choose-present-space.ts';
import { writeVectors } from '../../vectors/operations/write-vectors.ts';
import { listPresentChunks } from '../../vectors/store/chunk-vector.store.ts';
import { findOrCreateSpace, listSpaces, retireNewerSpaces } from '../../vectors/store/vector-space.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import type { ClaimedBatch } from '../embedding-work.ts';
import { describeWalk } from '../rules/describe-walk.ts';
import { learnRatio } from '../rules/estimate-tokens.ts';
import { costOf, sumUsd } from '../rules/price.ts';
import { endCalls, lockCalls } from '../store/embedding-call.store.ts';
import { holdSentTexts } from '../store/embeddable-chunk.store.ts';
import { clearStop, holdEmbeddingSetting } from '../store/embedding-setting.store.ts';
import { settleSpend } from '../store/embedding-spend.store.ts';
import { deferTasks, deleteTasks, listFreed, retryTasks, returnTasks } from '../store/embedding-task.store.ts';
import { lockWork, releaseWork, restartWalk, updateRatio, type HeldWork } from '../store/embedding-work.store.ts';

export interface BatchAnswer {
  /** One vector for each text, in order, all with the same dimensions. */
  readonly vectors: readonly Float32Array[];
  /** Token count reported by the provider; if undefined, the estimate is used. */
  readonly promptTokens: number | undefined;
}

export type StoreOutcome =
  | {
      readonly kind: 'stored';
      readonly chunks: number;
      readonly tokens: number;
      readonly spentUsd: number;
    }
  /**
   * The result was paid for but cannot be used: it is for a former setting, or the lease had expired and the texts were
   * claimed again, changed or deleted.
   */
  | { readonly kind: 'discarded'; readonly reason: 'setting_changed' | 'lease_lost' };

/** Smallest relative change of the token ratio that is stored. */
const RATIO_STEP = 0.01;

export interface AnsweredBatch {
  readonly batch: ClaimedBatch;
  readonly answer: BatchAnswer;
}

/**
 * Stores the results of calls and ends these calls. Uses one transaction for all calls if they are of one account and
 * one walk, no lease has expired, and the vectors have the expected dimensions; otherwise one transaction for each
 * call, so that the calls do not affect each other. Outcomes are in the order of the calls.
 */
export async function storeBatches(db: AnyDatabase, answered: readonly AnsweredBatch[]): Promise<StoreOutcome[]> {
  const paid = answered.map(payFor);
  const [first, ...others] = paid;
  if (first === undefined) return [];
  const areAlike = others.every(
    ({ accountId, walkFor, spaceId, vectors }) =>
      accountId === first.accountId &&
      walkFor === first.walkFor &&
      spaceId === first.spaceId &&
      vectors[0]?.length === first.vectors[0]?.length,
  );
  const outcomes = areAlike && others.length > 0 ? await storeTogether(db, paid) : undefined;
  return outcomes ?? storeEach(db, paid);
}

function payFor({ batch, answer }: AnsweredBatch): PaidBatch {
  const { vectors, promptTokens: tokens = batch.tokens } = answer;
  const isCounted = answer.promptTokens !== undefined;
  return { ...batch, vectors, tokens, isCounted, spentUsd: costOf(tokens, batch.pricePerMtok) };
}

/**
 * Returns undefined, and stores nothing, if the lease of a call has expired or the dimensions of the vectors have
 * changed.
 */
async function storeTogether(db: AnyDatabase, paid: readonly PaidBatch[]): Promise<StoreOutcome[] | undefined> {
  try {
    const outcomes = await db.transaction().execute((trx) => storeInTime(trx, paid));
    if (outcomes[0]?.kind === 'stored') await noteSuccess(db, paid);
    return outcomes;
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof AnotherWidth) return undefined;
    throw error;
  }
}

async function storeEach(db: AnyDatabase, paid: readonly PaidBatch[]): Promise<StoreOutcome[]> {
  const outcomes: StoreOutcome[] = [];
  for (const batch of paid) outcomes.push(await storeOne(db, batch));
  return outcomes;
}

async function storeOne(db: AnyDatabase, paid: PaidBatch): Promise<StoreOutcome> {
  const store = (how: (trx: AnyTransaction, paidBatch: PaidBatch) => Promise<StoreOutcome>) =>
    db.transaction().execute((trx) => how(trx, paid));
  const outcome = await store(storeOneInTime)
    .catch((error: unknown) => {
      if (error instanceof AnotherWidth) return store(storeAnotherWidth);
      throw error;
    })
    .catch((error: unknown) => {
      if (error instanceof LeaseLost) return store(storeLate);
      throw error;
    })
    .catch(readLeaseLost);
  if (outcome.kind === 'stored') await noteSuccess(db, [paid]);
  return outcome;
}

interface PaidBatch extends ClaimedBatch, Pick<BatchAnswer, 'vectors'> {
  readonly spentUsd: number;
  readonly isCounted: boolean;
  /** Work of the account, locked before everything else, in the common lock order; undefined if it was not locked. */
  readonly work?: HeldWork | undefined;
}

/** Errors that roll back the transaction, because a lease has expired or the dimensions have changed. */
class LeaseLost extends Error {}
class AnotherWidth extends Error {}

function readLeaseLost(error: unknown): StoreOutcome {
  if (error instanceof LeaseLost) return { kind: 'discarded', reason: 'lease_lost' };
  throw error;
}

/**
 * Stores the results of calls. All batches must be of one account, claimed for the same walk and with the same
 * dimensions.
 */
async function storeInTime(trx: AnyTransaction, paid: readonly PaidBatch[]): Promise<StoreOutcome[]> {
  const [first] = paid;
  if (first === undefined) return [];
  const isWanted = await holdWanted(trx, first);
  if (isWanted) {
    const texts = paid.flatMap((batch) => batch.texts);
    const { busy } = await writeTexts(trx, { ...first, texts, vectors: paid.flatMap(({ vectors }) => vectors) }, texts);
    if (busy.length > 0) for (const { callId } of paid) await retryTasks(trx, callId, busy);
  } else {
    // These texts become pending again: if the setting of the claim is restored, the walk continues after these texts,
    // so it would otherwise never reach them again.
    await lockCalls(
      trx,
      paid.map(({ callId }) => callId),
    );
    for (const { callId } of paid) await returnTasks(trx, callId);
  }
  if ((await endCalls(trx, paid)) < paid.length) throw new LeaseLost();
  return paid.map(({ texts, tokens, spentUsd }) =>
    isWanted
      ? { kind: 'stored', chunks: texts.length, tokens, spentUsd }
      : { kind: 'discarded', reason: 'setting_changed' },
  );
}

async function storeOneInTime(trx: AnyTransaction, paid: PaidBatch): Promise<StoreOutcome> {
  const [outcome] = await storeInTime(trx, [paid]);
  if (outcome === undefined) throw new Error('a call was stored without an outcome');
  return outcome;
}

/**
 * Stores a result with new dimensions, for which the walk is restarted. This is rare. For all other results, the
 * account's work is not locked, since the lock would delay other processes needlessly.
 */
async function storeAnotherWidth(trx: AnyTransaction, batch: PaidBatch): Promise<StoreOutcome> {
  return storeOneInTime(trx, { ...batch, work: await lockWork(trx, batch.accountId) });
}

/**
 * Stores a result that arrived after the lease of its call had expired. The reservation of the call was counted as
 * spent, so texts that no process has claimed since then need not be paid for again.
 */
async function storeLate(trx: AnyTransaction, batch: PaidBatch): Promise<StoreOutcome> {
  const { accountId, callId, day, texts, tokens, spentUsd, reservedUsd, provider, modelIdentifier } = batch;
  // While the work is locked, no process can claim the texts.
  const work = await lockWork(trx, accountId);
  if (!(await holdWanted(trx, batch))) return { kind: 'discarded', reason: 'setting_changed' };
  const free = new Set(await listFreed(trx, { accountId, chunkIds: texts.map(({ chunkId }) => chunkId) }));
  if (free.size === 0) throw new LeaseLost();
  const wanted = texts.filter(({ chunkId }) => free.has(chunkId));
  const { written, busy } = await writeTexts(trx, { ...batch, work }, wanted);
  // Texts that have changed since the call are also listed as free. If all free texts have changed, the call may have
  // been settled long ago.
  if (written === 0) throw new LeaseLost();
  await deferTasks(trx, { accountId, chunkIds: busy });
  await deleteTasks(trx, { accountId, chunkIds: [...free].filter((chunkId) => !busy.includes(chunkId)) });
  const beyondUsd = sumUsd([spentUsd, -reservedUsd]);
  const source = batch.isCounted ? ('provider' as const) : ('estimated' as const);
  const call = { callId, occurredAt: batch.claimedAt, provider, modelIdentifier, source, isFailed: false, tokens };
  const usage = { ...call, spentUsd };
  await settleSpend(trx, { accountId, day, reservedUsd: 0, spentUsd: beyondUsd, tokens, isCall: false, usage });
  return { kind: 'stored', chunks: written, tokens, spentUsd };
}

/**
 * Returns whether the setting still requires the vectors, and locks it, so that it cannot change before they are
 * stored.
 */
async function holdWanted(trx: AnyTransaction, { accountId, walkFor }: ClaimedBatch): Promise<boolean> {
  const setting = await holdEmbeddingSetting(trx, accountId);
  return setting.isEnabled && describeWalk(setting) === walkFor;
}

/**
 * Stores vectors of texts. Chunks that still exist but whose text has changed, or that are being changed or deleted,
 * are returned as busy.
 */
async function writeTexts(
  trx: AnyTransaction,
  batch: PaidBatch,
  wanted: ClaimedBatch['texts'],
): Promise<{ readonly written: number; readonly busy: readonly string[] }> {
  const { accountId, vectors, texts } = batch;
  const space = await findSpace(trx, batch);
  const unchanged = await holdSentTexts(trx, accountId, wanted);
  const answered = texts.map(({ chunkId }, index) => ({ chunkId, vector: vectors[index] ?? new Float32Array() }));
  await writeVectors(trx, { space, vectors: answered.filter(({ chunkId }) => unchanged.has(chunkId)) });
  const missing = wanted.map(({ chunkId }) => chunkId).filter((id) => !unchanged.has(id));
  const busy = missing.length === 0 ? [] : await listPresentChunks(trx, accountId, missing);
  return { written: unchanged.size, busy };
}

/**
 * Returns the space for the number of dimensions of a result. If the claim did not expect this number, the walk is
 * restarted, either for a new space or for a former space with this number. The vectors of a former space are still
 * valid, so only the missing vectors are requested.
 */
async function findSpace(trx: AnyTransaction, batch: PaidBatch): Promise<VectorSpace> {
  const { accountId, vectors, spaceId, work } = batch;
  const present = work === undefined ? undefined : choosePresentSpace(await listSpaces(trx, accountId), batch);
  const space = await findOrCreateSpace(trx, { ...batch, width: vectors[0]?.length ?? 0 });
  if (spaceId === undefined || spaceId === space.id) return space;
  if (work === undefined) throw new AnotherWidth();
  // The result of another call has already made this space the current one.
  if (present?.id === space.id) return space;
  await retireNewerSpaces(trx, { space, now: work.now });
  await restartWalk(trx, accountId);
  return space;
}

/**
 * Stores the ratio of tokens to bytes if it has changed noticeably, clears the account's recorded failures after a call
 * that ran alone, and removes the reason for an earlier stop. Runs outside the transaction, because the transaction has
 * locked the setting: code that needs both the setting and the account's work must lock the work first.
 */
async function noteSuccess(db: AnyDatabase, paid: readonly PaidBatch[]): Promise<void> {
  const [first] = paid;
  if (first === undefined) return;
  const { accountId, tokensPerByte: known } = first;
  // If several calls ended at the same time, the highest ratio is stored.
  const ratio = Math.max(...paid.map(({ bytes, tokens }) => learnRatio(known, { bytes, tokens })));
  if (paid.some(({ isAlone }) => isAlone)) await releaseWork(db, accountId, ratio);
  else if (known === undefined || Math.abs(ratio / known - 1) > RATIO_STEP) await updateRatio(db, accountId, ratio);
  const degraded = paid.find(({ isDegraded }) => isDegraded);
  if (degraded !== undefined) await clearStop(db, { accountId, before: degraded.claimedAt });
}
