import type { AnyDatabase } from '@steward/database';
import { DELETED_AT_ONCE } from '../rules/retrieval.ts';
import * as store from '../store/upkeep.store.ts';

/**
 * One turn of upkeep: of each retired space a batch of vectors goes, and in the end the space with its segment. Answers the
 * vectors and spaces that went: 0 when there is nothing left to do.
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
