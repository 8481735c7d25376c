import type { AnyDatabase } from '@steward/database';
import { choosePresentSpace } from '../../vectors/rules/choose-present-space.ts';
import { listSpaces } from '../../vectors/store/vector-space.store.ts';
import type { EmbeddingSetting } from '../embedding-setting.ts';
import { countChunks, countEmbedded, countFormer } from '../store/corpus-progress.store.ts';
import { findEmbeddingSetting } from '../store/embedding-setting.store.ts';
import { readSpend } from '../store/embedding-spend.store.ts';
import { readEmbeddingProgress } from './read-embedding-progress.ts';

export interface CorpusCounts {
  readonly chunks: number;
  /** Number of chunks in the scope, without those that have only metadata; the sum of the next three numbers. */
  readonly eligible: number;
  readonly embedded: number;
  readonly pending: number;
  readonly failed: number;
  /**
   * Number of pending chunks that have a vector of another provider, endpoint or model, or with a different number of
   * dimensions (such vectors are not searched); counted up to a limit.
   */
  readonly otherModel: number;
  readonly embeddedThrough: Date | null;
}

/** Setting of an account, its spend today and the progress of its corpus. */
export interface EmbeddingState {
  readonly setting: EmbeddingSetting;
  readonly spentTodayUsd: number;
  /** Dimensions of the vectors; null until a vector of the current provider, endpoint and model is stored. */
  readonly dimensions: number | null;
  readonly corpus: CorpusCounts;
}

/** Maximum number of chunks with a former vector that are counted; the index scan for this number takes 10 ms. */
const MOST_FORMER = 100_000;

export async function readEmbeddingState(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly now: Date },
): Promise<EmbeddingState> {
  const { accountId } = key;
  const setting = await findEmbeddingSetting(db, accountId);
  const { scope } = setting;
  const spaces = await listSpaces(db, accountId);
  const present = choosePresentSpace(spaces, setting);
  const others = spaces.filter((space) => space !== present);
  const [spentTodayUsd, counts, embedded, progress] = await Promise.all([
    readSpend(db, key),
    countChunks(db, { accountId, scope }),
    present === undefined ? 0 : countEmbedded(db, present, scope),
    readEmbeddingProgress(db, { accountId, setting }),
  ]);
  const { chunks, eligible, failed } = counts;
  // The numbers are read one after the other, while other processes write, so the difference might be negative.
  const pending = Math.max(0, eligible - embedded - failed);
  const { embeddedThrough, probedTo } = progress;
  const most = Math.min(pending, MOST_FORMER);
  const otherModel = await countFormer(db, { accountId, spaces: others, probedTo, scope, most });
  return {
    setting,
    spentTodayUsd,
    dimensions: present?.width ?? null,
    corpus: { chunks, eligible, embedded, pending, failed, otherModel, embeddedThrough },
  };
}
