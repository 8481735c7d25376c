import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RemoveRequest } from '../object-store.ts';

/**
 * Matches the end of a partial file's name. A partial file left by a crash is treated like the object that it would
 * have become.
 */
const PARTIAL = /(?:\.[0-9a-f-]{36})?\.partial$/;

/**
 * Removes old files of the store below the folder, including partial ones, and empty folders. Returns the number of
 * removed files.
 */
export async function removeOlderFiles(directory: string, request: RemoveRequest, prefix = ''): Promise<number> {
  let removed = 0;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    if (request.signal?.aborted === true) break;
    const path = resolve(directory, entry.name);
    const key = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      removed += await removeOlderFiles(path, request, `${key}/`);
      // Only an empty folder is removed.
      await rmdir(path).catch(() => undefined);
    } else if (entry.isFile() && request.isOwn(key.replace(PARTIAL, '')) && (await isOlder(path, request.before))) {
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}

async function isOlder(path: string, before: Date): Promise<boolean> {
  const written = await stat(path).catch(() => undefined);
  return written !== undefined && written.mtimeMs < before.getTime();
}
