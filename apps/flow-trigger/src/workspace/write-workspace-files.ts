import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesRepositoryData, type WorkspaceFile } from '@steward/flows';
import { isForeign, openFolderBeneath, openForWriting, type FileOwner, type OpenFolder } from './open-folder.ts';
import { resolveBeneath } from './resolve-beneath.ts';

/** Thrown if a symbolic link in the path leads to a location where no file may be written (FLOW-34, FLOW-40). */
export class WorkspaceEscapeError extends Error {
  constructor(path: string, where = 'outside the workspace') {
    super(`workspace_files: "${path}" goes through a symbolic link that leads ${where}; the write was refused.`);
    this.name = 'WorkspaceEscapeError';
  }
}

/**
 * Thrown if a file cannot be written at its path, for example because a component of the path is not of the required
 * type.
 */
export class WorkspacePathError extends Error {
  constructor(path: string, reason: string) {
    super(`workspace_files: "${path}" cannot be written: ${reason}.`);
    this.name = 'WorkspacePathError';
  }
}

/**
 * Writes validated files below a canonical root. Symbolic links of the clone are followed as long as they stay in the
 * workspace. The resolved path is then opened without following links, each folder relative to the one before, so that
 * concurrent changes to the tree cannot redirect a write.
 */
export async function writeWorkspaceFiles(
  root: string,
  files: readonly WorkspaceFile[],
  owner?: FileOwner,
): Promise<void> {
  const written = new Map<string, string>();
  for (const file of files) {
    const segments = await resolveFile(root, file.path);
    const place = segments.join('/');
    const twin = written.get(place);
    // The two paths differ, but lead to the same file through links: the later file would silently replace the earlier
    // one.
    if (twin !== undefined)
      throw new WorkspacePathError(file.path, `through symbolic links it is the same path as "${twin}"`);
    written.set(place, file.path);
    await writeWorkspaceFile(root, { file, segments, owner });
  }
}

async function resolveFile(root: string, path: string): Promise<readonly string[]> {
  const way = await resolveBeneath(root, path.split('/'));
  if (way.kind === 'outside') throw new WorkspaceEscapeError(path);
  if (way.kind === 'nowhere') throw new WorkspaceEscapeError(path, 'nowhere');
  if (way.kind === 'endless') throw new WorkspaceEscapeError(path, 'to other links in a loop');
  if (way.segments.some(namesRepositoryData))
    throw new WorkspaceEscapeError(path, 'into the data of a repository (.git)');
  if (way.isFolder) throw new WorkspacePathError(path, 'a folder exists at this path');
  return way.segments;
}

interface Placement {
  readonly file: WorkspaceFile;
  readonly segments: readonly string[];
  readonly owner: FileOwner | undefined;
}

async function writeWorkspaceFile(root: string, { file, segments, owner }: Placement): Promise<void> {
  try {
    const folder = await openFolderBeneath(root, segments.slice(0, -1), { create: true, owner });
    try {
      await writeFileIn(folder, segments.at(-1) ?? '', { file, owner });
    } finally {
      await folder.handle.close();
    }
  } catch (error) {
    throw await explain(error, root, { path: file.path, segments });
  }
}

async function writeFileIn(
  folder: OpenFolder,
  name: string,
  { file, owner }: Pick<Placement, 'file' | 'owner'>,
): Promise<void> {
  const handle = await openForWriting(folder, name, owner);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new WorkspacePathError(file.path, 'something that is not a file exists at this path');
    if (isForeign(stats, owner))
      throw new WorkspacePathError(file.path, 'a file that does not belong to the run exists at this path');
    await handle.truncate(0);
    await handle.writeFile(file.content);
  } finally {
    await handle.close();
  }
}

interface Destination {
  /** Path as declared. */
  readonly path: string;
  /** Path after resolving links. */
  readonly segments: readonly string[];
}

async function explain(error: unknown, root: string, { path, segments }: Destination): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  // A link was created in the meantime.
  if (code === 'ELOOP' || code === 'EMLINK') return new WorkspaceEscapeError(path);
  // Opening a link to a folder without following it also fails with ENOTDIR.
  if (code === 'ENOTDIR')
    return (await hasFileOnTheWay(root, segments))
      ? new WorkspacePathError(path, 'a file exists where one of its folders should be')
      : new WorkspaceEscapeError(path);
  if (code === 'ENAMETOOLONG') return new WorkspacePathError(path, 'the target of a symbolic link is too long');
  if (code === 'EISDIR') return new WorkspacePathError(path, 'a folder exists at this path');
  if (code === 'ENXIO') return new WorkspacePathError(path, 'something that is not a file exists at this path');
  return error;
}

/**
 * Returns whether a file exists where a folder of the path should be. This only determines the message: the write has
 * already been refused.
 */
async function hasFileOnTheWay(root: string, segments: readonly string[]): Promise<boolean> {
  let place = root;
  for (const segment of segments.slice(0, -1)) {
    place = join(place, segment);
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isDirectory() !== true) return stats?.isFile() === true;
  }
  return false;
}
