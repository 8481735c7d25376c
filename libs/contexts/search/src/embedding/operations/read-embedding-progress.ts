import { readIdTime } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { describeWalk, type WalkSetting } from '../rules/describe-walk.ts';
import { BEFORE_ALL } from '../store/embedding-work.store.ts';
import { readWalkPlace } from '../store/walk-place.store.ts';

export interface EmbeddingProgress {
  /** Everything up to this time is embedded, or was set aside; null before anything is. */
  readonly embeddedThrough: Date | null;
  /** Nothing that the setting wants embedded is waiting. */
  readonly isComplete: boolean;
  /** Position of the walk. */
  readonly probedTo: string;
}

/** How far an account's corpus is embedded according to its setting: a few look-ups, whatever its size. */
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
