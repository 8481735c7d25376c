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
import { retryTasks } from '../store/embedding-task.store.ts';
import { releaseWork, restartWalk, updateRatio } from '../store/embedding-work.store.ts';

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
  /** Paid, and of no use: for another setting than there is now, or after the lease. */
  | { readonly kind: 'discarded'; readonly reason: 'setting_changed' | 'lease_lost' };

/** Below this a new ratio of tokens says nothing new. */
const RATIO_STEP = 0.01;

/** Stores what a provider answered, and ends the work on it in the same transaction. */
export async function storeBatch(db: AnyDatabase, batch: ClaimedBatch, answer: BatchAnswer): Promise<StoreOutcome> {
  const { vectors, promptTokens: tokens = batch.tokens, now } = answer;
  const { accountId, callId } = batch;
  const spentUsd = costOf(tokens, batch.pricePerMtok);
  const store = async (trx: AnyTransaction): Promise<StoreOutcome> => {
    // Held: nobody changes it before what was made for it is there.
    const setting = await holdEmbeddingSetting(trx, accountId);
    let isAnotherWidth = false;
    const isWanted = setting.isEnabled && describeWalk(setting) === batch.walkFor;
    if (isWanted) {
      const width = vectors[0]?.length ?? 0;
      const space = await findOrCreateSpace(trx, { ...batch, width, now });
      isAnotherWidth = batch.spaceId !== undefined && batch.spaceId !== space.id && space.createdAt >= batch.claimedAt;
      const answered = batch.texts.map(({ chunkId }, index) => ({
        chunkId,
        vector: vectors[index] ?? new Float32Array(),
      }));
      const unchanged = await holdSentTexts(trx, accountId, batch.texts);
      await writeVectors(trx, { space, vectors: answered.filter(({ chunkId }) => unchanged.has(chunkId)) });
      const missing = answered.map(({ chunkId }) => chunkId).filter((id) => !unchanged.has(id));
      const busy = missing.length === 0 ? [] : await listPresentChunks(trx, accountId, missing);
      if (busy.length > 0) await retryTasks(trx, callId, busy);
    }
    if (!(await endCall(trx, { callId, spentUsd, tokens }))) throw new LeaseLost();
    return isWanted
      ? { kind: 'stored', chunks: batch.texts.length, tokens, spentUsd, isAnotherWidth }
      : { kind: 'discarded', reason: 'setting_changed' };
  };
  const outcome = await db.transaction().execute(store).catch(readLeaseLost);
  if (outcome.kind === 'stored') {
    await noteSuccess(db, batch, tokens);
    if (outcome.isAnotherWidth) await restartWalk(db, accountId);
  }
  return outcome;
}

/** Takes back what the transaction wrote. */
class LeaseLost extends Error {}

function readLeaseLost(error: unknown): StoreOutcome {
  if (error instanceof LeaseLost) return { kind: 'discarded', reason: 'lease_lost' };
  throw error;
}

/** Beside the transaction: it holds the setting, and whoever changes both takes the account's work first. */
async function noteSuccess(db: AnyDatabase, batch: ClaimedBatch, tokens: number): Promise<void> {
  const { accountId, bytes, tokensPerByte: known } = batch;
  const ratio = learnRatio(known, { bytes, tokens });
  if (batch.isAlone) await releaseWork(db, accountId, ratio);
  else if (known === undefined || Math.abs(ratio / known - 1) > RATIO_STEP) await updateRatio(db, accountId, ratio);
  if (batch.isDegraded) await clearStop(db, { accountId, before: batch.claimedAt });
}
