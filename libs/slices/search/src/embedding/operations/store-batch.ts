import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { writeVectors } from '../../vectors/operations/write-vectors.ts';
import { listPresentChunks } from '../../vectors/store/chunk-vector.store.ts';
import { findOrCreateSpace } from '../../vectors/store/vector-space.store.ts';
import type { ClaimedBatch } from '../embedding-work.ts';
import { describeWalk } from '../rules/describe-walk.ts';
import { learnRatio } from '../rules/estimate-tokens.ts';
import { costOf } from '../rules/price.ts';
import { endCall } from '../store/embedding-call.store.ts';
import { holdSentTexts } from '../store/embeddable-chunk.store.ts';
import { clearStop, holdEmbeddingSetting } from '../store/embedding-setting.store.ts';
import { settleSpend } from '../store/embedding-spend.store.ts';
import { deferTasks, deleteTasks, listFreed, retryTasks } from '../store/embedding-task.store.ts';
import { lockWork, releaseWork, restartWalk, updateRatio } from '../store/embedding-work.store.ts';

export interface BatchAnswer {
  /** One for each text, in their order, all of one width. */
  readonly vectors: readonly Float32Array[];
  /** As the provider counted; without it the estimate stands. */
  readonly promptTokens: number | undefined;
  readonly now: Date;
}

export type StoreOutcome =
  | {
      readonly kind: 'stored';
      readonly chunks: number;
      readonly tokens: number;
      readonly spentUsd: number;
      /** The provider answers in another width than before: the corpus is embedded anew. */
      readonly isAnotherWidth: boolean;
    }
  /** Paid, and of no use: for another setting than there is now, or after the lease, when others had taken the texts. */
  | { readonly kind: 'discarded'; readonly reason: 'setting_changed' | 'lease_lost' };

/** Below this a new ratio of tokens says nothing new. */
const RATIO_STEP = 0.01;

/** Stores what a provider answered, and ends the work on it in the same transaction. */
export async function storeBatch(db: AnyDatabase, batch: ClaimedBatch, answer: BatchAnswer): Promise<StoreOutcome> {
  const { promptTokens: tokens = batch.tokens } = answer;
  const spentUsd = costOf(tokens, batch.pricePerMtok);
  const paid = { ...batch, ...answer, spentUsd, tokens };
  const outcome = await db
    .transaction()
    .execute((trx) => storeInTime(trx, paid))
    .catch((error: unknown) => {
      if (error instanceof LeaseLost) return db.transaction().execute((trx) => storeLate(trx, paid));
      throw error;
    });
  if (outcome.kind === 'stored') {
    await noteSuccess(db, batch, tokens);
    if (outcome.isAnotherWidth) await restartWalk(db, batch.accountId);
  }
  return outcome;
}

interface PaidBatch extends ClaimedBatch, Pick<BatchAnswer, 'vectors' | 'now'> {
  readonly spentUsd: number;
  /** As paid. */
  readonly tokens: number;
}

/** Takes back what the transaction wrote. */
class LeaseLost extends Error {}

async function storeInTime(trx: AnyTransaction, batch: PaidBatch): Promise<StoreOutcome> {
  const { callId, texts, tokens, spentUsd } = batch;
  const isWanted = await holdWanted(trx, batch);
  let isAnotherWidth = false;
  if (isWanted) {
    const written = await writeTexts(trx, batch, texts);
    isAnotherWidth = written.isAnotherWidth;
    if (written.busy.length > 0) await retryTasks(trx, callId, written.busy);
  }
  if (!(await endCall(trx, { callId, spentUsd, tokens }))) throw new LeaseLost();
  return isWanted
    ? { kind: 'stored', chunks: texts.length, tokens, spentUsd, isAnotherWidth }
    : { kind: 'discarded', reason: 'setting_changed' };
}

/** The lease was over, and whoever noticed counted the reservation: texts that nobody took since need not be paid again. */
async function storeLate(trx: AnyTransaction, batch: PaidBatch): Promise<StoreOutcome> {
  const { accountId, day, texts, tokens, spentUsd, reservedUsd } = batch;
  // First, as everybody takes the two: nobody claims the texts meanwhile.
  await lockWork(trx, accountId);
  if (!(await holdWanted(trx, batch))) return { kind: 'discarded', reason: 'setting_changed' };
  const free = new Set(await listFreed(trx, { accountId, chunkIds: texts.map(({ chunkId }) => chunkId) }));
  if (free.size === 0) return { kind: 'discarded', reason: 'lease_lost' };
  const { written, busy, isAnotherWidth } = await writeTexts(
    trx,
    batch,
    texts.filter(({ chunkId }) => free.has(chunkId)),
  );
  await deferTasks(trx, { accountId, chunkIds: busy });
  await deleteTasks(trx, { accountId, chunkIds: [...free].filter((chunkId) => !busy.includes(chunkId)) });
  // Texts that changed are free too: of them alone the call may have been settled long ago.
  if (written === 0) return { kind: 'discarded', reason: 'lease_lost' };
  const beyondUsd = Number((spentUsd - reservedUsd).toFixed(10));
  await settleSpend(trx, { accountId, day, reservedUsd: 0, spentUsd: beyondUsd, tokens, isCall: false });
  return { kind: 'stored', chunks: written, tokens, spentUsd, isAnotherWidth };
}

/** Held: nobody changes the setting before what was made for it is there. */
async function holdWanted(trx: AnyTransaction, { accountId, walkFor }: ClaimedBatch): Promise<boolean> {
  const setting = await holdEmbeddingSetting(trx, accountId);
  return setting.isEnabled && describeWalk(setting) === walkFor;
}

/** Those whose chunks say something else by now, or are being changed, are busy. */
async function writeTexts(
  trx: AnyTransaction,
  batch: PaidBatch,
  wanted: ClaimedBatch['texts'],
): Promise<{ readonly written: number; readonly busy: readonly string[]; readonly isAnotherWidth: boolean }> {
  const { accountId, vectors, texts, now, spaceId, claimedAt } = batch;
  const width = vectors[0]?.length ?? 0;
  const space = await findOrCreateSpace(trx, { ...batch, width, now });
  const unchanged = await holdSentTexts(trx, accountId, wanted);
  const answered = texts.map(({ chunkId }, index) => ({ chunkId, vector: vectors[index] ?? new Float32Array() }));
  await writeVectors(trx, { space, vectors: answered.filter(({ chunkId }) => unchanged.has(chunkId)) });
  const missing = wanted.map(({ chunkId }) => chunkId).filter((id) => !unchanged.has(id));
  return {
    written: unchanged.size,
    busy: missing.length === 0 ? [] : await listPresentChunks(trx, accountId, missing),
    isAnotherWidth: spaceId !== undefined && spaceId !== space.id && space.createdAt >= claimedAt,
  };
}

/** Beside the transaction: it holds the setting, and whoever changes both takes the account's work first. */
async function noteSuccess(db: AnyDatabase, batch: ClaimedBatch, tokens: number): Promise<void> {
  const { accountId, bytes, tokensPerByte: known } = batch;
  const ratio = learnRatio(known, { bytes, tokens });
  if (batch.isAlone) await releaseWork(db, accountId, ratio);
  else if (known === undefined || Math.abs(ratio / known - 1) > RATIO_STEP) await updateRatio(db, accountId, ratio);
  if (batch.isDegraded) await clearStop(db, { accountId, before: batch.claimedAt });
}
