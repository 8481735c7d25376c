import type { AnyDatabase } from '@steward/database';
import type { Bucket } from '@steward/storage';
import { buildSessionPrefix } from '../rules/object-key.ts';
import { claimRemoval, deleteRemoval, type DueRemoval } from '../store/content-removal.store.ts';

export interface RemovalDeps {
  readonly db: AnyDatabase;
  readonly bucket: Pick<Bucket, 'list' | 'remove'>;
}

/**
 * Removes the objects of deleted sessions and of replaced content, until none is due. The record of a removal is
 * deleted only after the objects were removed. Returns the number of removed objects.
 * @throws StoreError; the remaining objects are removed later
 */
export async function removeObjects({ db, bucket }: RemovalDeps, signal: AbortSignal): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const due = await claimRemoval(db);
    if (due === undefined) break;
    removed += await remove(bucket, due, signal);
    if (signal.aborted) break;
    await deleteRemoval(db, due);
  }
  return removed;
}

async function remove(bucket: RemovalDeps['bucket'], due: DueRemoval, signal: AbortSignal): Promise<number> {
  if (due.key !== undefined) {
    await bucket.remove([due.key], signal);
    return 1;
  }
  const prefix = buildSessionPrefix(due);
  let removed = 0;
  let after: string | undefined;
  do {
    const { objects, next } = await bucket.list({ prefix, after, signal });
    await bucket.remove(
      objects.map(({ key }) => key),
      signal,
    );
    removed += objects.length;
    after = next;
  } while (after !== undefined && !signal.aborted);
  return removed;
}
