import type { AnyDatabase } from '@steward/database';
import { countExactVectors, MOVED_AT_ONCE, WIDEST } from '../rules/retrieval.ts';
import * as store from '../store/upkeep.store.ts';

/**
 * One turn of upkeep: spaces that outgrew the shared table get a segment, and a batch of each moving space's vectors moves
 * into its own. Answers the vectors moved: 0 when there is nothing left to do. Searches read both tables meanwhile.
 */
export async function growSpaces(db: AnyDatabase): Promise<number> {
  for (const { id, width, written } of await store.listWrittenSpaces(db, countExactVectors(WIDEST))) {
    const most = countExactVectors(width);
    if (written > most && (await store.countVectors(db, id)) > most) await store.makeSegment(db, id);
  }
  let moved = 0;
  for (const space of await store.listMovingSpaces(db)) {
    moved += await store.moveVectors(db, { ...space, limit: MOVED_AT_ONCE });
  }
  return moved;
}
