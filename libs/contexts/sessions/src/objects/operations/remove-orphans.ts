import type { AnyDatabase } from '@steward/database';
import type { Bucket } from '@steward/storage';
import { ALL_OBJECTS, readObjectKey } from '../rules/object-key.ts';
import { listUnnamedObjects } from '../store/moved-content.store.ts';

export interface OrphanDeps {
  readonly db: AnyDatabase;
  readonly bucket: Pick<Bucket, 'list' | 'remove'>;
}

export interface OrphanPass {
  readonly removed: number;
  /**
   * Number of objects that no row names, but that were not removed because there are too many of them: the database may
   * have been restored from a backup, or may be the wrong one.
   */
  readonly refused: number;
  /** Key after which the next pass begins; undefined if this pass reached the end. */
  readonly next: string | undefined;
}

/** Maximum number of pages per pass; a page has a thousand objects. */
const MOST_PAGES = 20;
const DAY_MS = 86_400_000;
/** Maximum number of unnamed objects on a page that are removed even if most objects of the page are unnamed. */
const FEW = 50;

/**
 * Removes objects older than a day that no row names; such objects are left, for example, by a process that was killed.
 * If a page contains more than `FEW` of them, and they are more than half of the page's objects older than a day, none
 * of the page's objects is removed.
 * @throws StoreError
 */
export async function removeOrphans(
  { db, bucket }: OrphanDeps,
  {
    after: start,
    now,
    signal,
  }: { readonly after: string | undefined; readonly now: Date; readonly signal: AbortSignal },
): Promise<OrphanPass> {
  let removed = 0;
  let refused = 0;
  let after = start;
  for (let page = 0; page < MOST_PAGES && !signal.aborted; page += 1) {
    const { objects, next } = await bucket.list({ prefix: ALL_OBJECTS, after, signal });
    const old = objects
      .filter(({ lastModified }) => lastModified.getTime() < now.getTime() - DAY_MS)
      .flatMap(({ key }) => {
        const place = readObjectKey(key);
        return place === undefined ? [] : [{ key, accountId: place.accountId, id: place.id }];
      });
    const unnamed = await listUnnamedObjects(db, old);
    if (unnamed.length > FEW && unnamed.length * 2 > old.length) refused += unnamed.length;
    else {
      await bucket.remove(unnamed, signal);
      removed += unnamed.length;
    }
    after = next;
    if (after === undefined) break;
  }
  return { removed, refused, next: after };
}
