import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { platform } from 'node:os';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** A folder held open: what is done through it stays in it, whatever happens to the names above it meanwhile. */
export interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
}

/**
 * Opens a folder below a canonical root, one component after the other, each relative to the one before and without
 * following links. @throws ELOOP or ENOTDIR at a link or a file, ENOENT without `create`.
 */
export async function openFolderBeneath(
  root: string,
  segments: readonly string[],
  { create }: { readonly create: boolean },
): Promise<OpenFolder> {
  let folder: OpenFolder = { handle: await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path: root };
  for (const segment of segments) {
    try {
      const next = await enterFolder(folder, segment, create);
      await folder.handle.close();
      folder = next;
    } catch (error) {
      await folder.handle.close();
      throw error;
    }
  }
  return folder;
}

async function enterFolder(folder: OpenFolder, name: string, create: boolean): Promise<OpenFolder> {
  const path = placeIn(folder, name);
  if (create) {
    try {
      await mkdir(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return { handle: await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path: `${folder.path}/${name}` };
}

/** Opens a file of the folder; a link in its place is not followed, and a pipe or a device does not block. */
export function openFileIn(folder: OpenFolder, name: string, flags: number, mode?: number): Promise<FileHandle> {
  return open(placeIn(folder, name), flags | O_NOFOLLOW | constants.O_NONBLOCK, mode);
}

/** On Linux a path through the open folder itself, whatever its name has become; elsewhere its name. */
export function placeIn(folder: OpenFolder, name: string): string {
  return platform() === 'linux' ? `/proc/self/fd/${folder.handle.fd}/${name}` : `${folder.path}/${name}`;
}

/** The segments of a relative path that stays below its root; undefined for any other. */
export function splitBeneath(path: string): string[] | undefined {
  if (path.startsWith('/') || path.includes('\0')) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? undefined : segments;
}
