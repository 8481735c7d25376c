import type { AnyTransaction } from '@steward/database';
import * as store from '../store/deleted-session.store.ts';

export interface PurgedRows {
  readonly rows: number;
  /** True if no rows of the session remain. */
  readonly isDone: boolean;
}

/**
 * Deletes corpus rows of a deleted session: first at most `limit` chunks with their vectors, then at most `limit`
 * credential sightings, then the labels. Once none of these remain, the session is removed from the list of deleted
 * sessions.
 */
export async function purgeSessionCorpus(
  trx: AnyTransaction,
  key: store.SessionKey,
  limit: number,
): Promise<PurgedRows> {
  const chunks = await store.deleteSessionChunks(trx, key, limit);
  if (chunks === limit || (await store.hasChunks(trx, key))) return { rows: chunks, isDone: false };
  const sightings = await store.deleteSessionSightings(trx, key, limit);
  if (sightings === limit) return { rows: chunks + sightings, isDone: false };
  await store.deleteSessionLabels(trx, key);
  await store.removeDeletedSession(trx, key);
  return { rows: chunks + sightings, isDone: true };
}
