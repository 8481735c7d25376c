import { readIdTime } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { describeWalk, type WalkSetting } from '../rules/describe-walk.ts';
import { BEFORE_ALL } from '../store/embedding-work.store.ts';
import { readWalkPlace } from '../store/walk-place.store.ts';

export interface EmbeddingProgress {
  /** What entered the corpus up to here is embedded, or was set aside; null before anything is. */
  readonly embeddedThrough: Date | null;
  /** Nothing the setting wants embedded waits. */
  readonly isComplete: boolean;
  /** Where the walk is. */
  readonly probedTo: string;
}

/** How far an account's corpus is embedded as its setting wants it: some look-ups, whatever its size. */
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
