import type { AnyTransaction } from '@steward/database';
import * as store from '../store/deleted-session.store.ts';

export interface PurgedRows {
  readonly rows: number;
  /** True if nothing of the session is left. */
  readonly isDone: boolean;
}

/**
 * Deletes at most `limit` corpus rows of a deleted session: chunks with their vectors, then credential sightings, then
 * labels. When the last of them is deleted, the session is removed from the list.
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
