import { constants, type Stats } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { platform } from 'node:os';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** User and group of a run's files, if they differ from the worker's. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** A folder that is kept open: operations through it stay in it, even if the folders above it are renamed. */
export interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
}

/**
 * Opens a folder below a canonical root, component by component, each relative to the one before and without following
 * links. @throws ELOOP or ENOTDIR at a link or a file; ENOENT at a missing folder, unless `create` is set
 */
export async function openFolderBeneath(
  root: string,
  segments: readonly string[],
  { create, owner }: { readonly create: boolean; readonly owner?: FileOwner | undefined },
): Promise<OpenFolder> {
  let folder: OpenFolder = { handle: await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path: root };
  for (const segment of segments) {
    try {
      const next = await enterFolder(folder, segment, create ? { owner } : undefined);
      await folder.handle.close();
      folder = next;
    } catch (error) {
      await folder.handle.close();
      throw error;
    }
  }
  return folder;
}

async function enterFolder(
  folder: OpenFolder,
  name: string,
  create: { readonly owner: FileOwner | undefined } | undefined,
): Promise<OpenFolder> {
  const path = placeIn(folder, name);
  const isNew = create !== undefined && (await makeFolder(path));
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (isNew && create.owner !== undefined) await handle.chown(create.owner.uid, create.owner.gid);
  return { handle, path: `${folder.path}/${name}` };
}

/** Returns true if the folder was created. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Opens a file of the folder; a link is not followed, and a pipe or a device does not block. */
export function openFileIn(folder: OpenFolder, name: string, flags: number, mode?: number): Promise<FileHandle> {
  return open(placeIn(folder, name), flags | O_NOFOLLOW | constants.O_NONBLOCK, mode);
}

/**
 * Opens a file for writing; a new file gets the given owner. The caller has to check the type and the owner of the file
 * before truncating it: an existing file may not be a regular file, or may belong to another user.
 */
export async function openForWriting(
  folder: OpenFolder,
  name: string,
  owner: FileOwner | undefined,
): Promise<FileHandle> {
  try {
    const handle = await openFileIn(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0o644);
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    return handle;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return openFileIn(folder, name, O_WRONLY);
}

/**
 * Returns true if the file does not belong to the run: a program may have created a hard link to a file that the worker
 * can read or write, but the program cannot.
 */
export function isForeign(stats: Stats, owner: FileOwner | undefined): boolean {
  return owner !== undefined && stats.uid !== owner.uid;
}

/**
 * On Linux, returns a path through the open folder itself, which stays valid after a rename; elsewhere a path by name.
 */
export function placeIn(folder: OpenFolder, name: string): string {
  return platform() === 'linux' ? `/proc/self/fd/${folder.handle.fd}/${name}` : `${folder.path}/${name}`;
}

/**
 * Splits a relative path into segments; returns undefined if the path is absolute, or contains `..` or a null
 * character.
 */
export function splitBeneath(path: string): string[] | undefined {
  if (path.startsWith('/') || path.includes('\0')) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? undefined : segments;
}
