import { readIdTime } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { describeWalk, type WalkSetting } from '../rules/describe-walk.ts';
import { BEFORE_ALL } from '../store/embedding-work.store.ts';
import { readWalkPlace } from '../store/walk-place.store.ts';

export interface EmbeddingProgress {
  /**
   * All chunks in the scope that were created up to this time are embedded or were set aside; null if there is no such
   * time yet.
   */
  readonly embeddedThrough: Date | null;
  /** True if no content that the setting includes is waiting. */
  readonly isComplete: boolean;
  /** Position of the walk. */
  readonly probedTo: string;
}

/**
 * Returns the embedding progress of an account's corpus for its setting, with a few lookups whatever the size of the
 * corpus.
 */
export async function readEmbeddingProgress(
  db: AnyDatabase,
  { accountId, setting }: { readonly accountId: string; readonly setting: WalkSetting },
): Promise<EmbeddingProgress> {
  const place = await readWalkPlace(db, { accountId, walkFor: describeWalk(setting), scope: setting.scope });
  if (place === undefined) return { embeddedThrough: null, isComplete: false, probedTo: BEFORE_ALL };
  const through = place.openFrom ?? place.probedTo;
  return {
    embeddedThrough: through === BEFORE_ALL ? null : readIdTime(through),
    isComplete: place.openFrom === null && !place.hasMore,
    probedTo: place.probedTo,
  };
}
