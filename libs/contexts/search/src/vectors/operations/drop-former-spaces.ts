import type { AnyDatabase } from '@steward/database';
import { DELETED_AT_ONCE } from '../rules/retrieval.ts';
import * as store from '../store/upkeep.store.ts';

/**
 * Does one step of cleanup: deletes a batch of vectors of each retired space, and finally the space and its segment.
 * Returns the number of deleted vectors and spaces; 0 if nothing is left to do.
 */
export async function dropFormerSpaces(db: AnyDatabase): Promise<number> {
  let gone = 0;
  for (const spaceId of await store.listRetiredSpaces(db)) {
    const deleted = await store.deleteVectors(db, spaceId, DELETED_AT_ONCE);
    gone += deleted;
    if (deleted < DELETED_AT_ONCE && (await store.dropSpace(db, spaceId))) gone += 1;
  }
  return gone;
}
