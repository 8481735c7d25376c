import type { RemoveRequest } from '../object-store.ts';
import { listObjects, removeObjects } from './list-objects.ts';
import type { S3Options } from './s3-options.ts';

/**
 * Maximum number of pages of one pass: a listing is sorted by key and not by age, so without a limit every pass would
 * read all pages.
 */
const MAX_PAGES = 50;

/**
 * Returns a function that removes old objects page by page. A pass that reaches its limit is continued by the next
 * pass.
 */
export function createObjectSweep(options: S3Options): (request: RemoveRequest) => Promise<number> {
  let after: string | undefined;
  return async ({ before, isOwn, signal }) => {
    let removed = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      if (signal?.aborted === true) return removed;
      const { objects, next } = await listObjects(options, { after, signal });
      const old = objects.filter(({ key, lastModified }) => lastModified < before && isOwn(key)).map(({ key }) => key);
      await removeObjects(options, old, signal);
      removed += old.length;
      after = next;
      if (after === undefined) return removed;
    }
    return removed;
  };
}
