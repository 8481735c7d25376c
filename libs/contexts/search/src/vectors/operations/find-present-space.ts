import type { DegradedReason } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { findEmbeddingSetting } from '../../embedding/store/embedding-setting.store.ts';
import { choosePresentSpace } from '../rules/choose-present-space.ts';
import { listSpaces } from '../store/vector-space.store.ts';
import type { VectorSpace } from '../vector-space.ts';

export type PresentSpace =
  | { readonly kind: 'present'; readonly space: VectorSpace }
  | { readonly kind: 'none'; readonly reason: DegradedReason };

/** Returns the space that an account's searches use, or the reason why there is none. */
export async function findPresentSpace(
  { db, embeddingEnabled }: { readonly db: AnyDatabase; readonly embeddingEnabled: boolean },
  accountId: string,
): Promise<PresentSpace> {
  if (!embeddingEnabled) return { kind: 'none', reason: 'semantic_disabled_by_deployment' };
  const [setting, spaces] = await Promise.all([findEmbeddingSetting(db, accountId), listSpaces(db, accountId)]);
  if (!setting.isEnabled) return { kind: 'none', reason: 'semantic_not_enabled' };
  const space = choosePresentSpace(spaces, setting);
  if (space !== undefined) return { kind: 'present', space };
  return { kind: 'none', reason: spaces.length === 0 ? 'semantic_no_vectors' : 'semantic_model_mismatch' };
}
