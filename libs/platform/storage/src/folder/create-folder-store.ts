import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lchown, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StoreError, type ObjectStore, type PutRequest, type StoredObject } from '../object-store.ts';
import { requireKey } from '../require-key.ts';
import { removeOlderFiles } from './remove-older-files.ts';

/** Creates a store that keeps objects as files in a folder, which all processes that use the objects share. */
export function createFolderStore(directory: string): ObjectStore {
  const locate = (key: string): string => resolve(directory, requireKey(key));
  return {
    transport: 'local',
    put: (request) => putFile(directory, locate(request.key), request),
    open: (key) => openFile(locate(key)),
    removeOlder: (request) => removeOlderFiles(directory, request),
    // Nothing is checked: the folder is created with the first object, and a process that only reads may start before
    // that.
    check: () => Promise.resolve(),
  };
}

/**
 * Stores a file: writes it next to its target, and renames it when it is complete and on disk, so that a crash leaves
 * no partial object.
 */
async function putFile(directory: string, target: string, { path, sizeBytes, signal }: PutRequest): Promise<void> {
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    // The group may read the files, because the process that serves them may run as a different user than the one that
    // writes them.
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o750 });
    const file = createWriteStream(partial, { mode: 0o640, flush: true });
    await pipeline(createReadStream(path), file, { signal });
    if (file.bytesWritten !== sizeBytes) throw new Error(`it has ${file.bytesWritten} bytes instead of ${sizeBytes}`);
    await giveAway(directory, target, made, partial);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw new StoreError('unreachable', `the file could not be stored: ${describe(error)}`, { cause: error });
  }
}

/**
 * Makes the owner of the folder the owner of files and folders that root creates, so that a worker that runs as root
 * today and as an ordinary user tomorrow can still write there and remove the files.
 */
async function giveAway(directory: string, target: string, made: string | undefined, partial: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(directory);
  await lchown(partial, uid, gid);
  if (made === undefined) return;
  for (let folder = dirname(target); folder.startsWith(made) && folder !== directory; folder = dirname(folder))
    await lchown(folder, uid, gid);
}

async function openFile(path: string): Promise<StoredObject | undefined> {
  try {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      return { sizeBytes: size, stream: handle.createReadStream() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new StoreError('unreachable', `the file could not be opened: ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}
