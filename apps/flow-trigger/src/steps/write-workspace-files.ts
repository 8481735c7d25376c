import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceFile } from '@steward/slice-flows';
import { openFileIn, openFolderBeneath, type OpenFolder } from '../beneath/open-folder.ts';

/** A symbolic link is on the way, which could lead out of the workspace (interface.md, workspace_files rule 9). */
export class WorkspaceEscapeError extends Error {
  constructor(path: string) {
    super(
      `workspace_files: "${path}" goes through a symbolic link, which could lead outside the workspace; the write was refused.`,
    );
    this.name = 'WorkspaceEscapeError';
  }
}

/** The way to the file is blocked by something of another kind. */
export class WorkspacePathError extends Error {
  constructor(path: string, reason: string) {
    super(`workspace_files: "${path}" cannot be written: ${reason}.`);
    this.name = 'WorkspacePathError';
  }
}

const { O_CREAT, O_TRUNC, O_WRONLY } = constants;

/**
 * Writes validated files below a canonical root. Each folder is opened relative to the one before without following
 * links, so nothing that changes the tree meanwhile can lead a write elsewhere.
 */
export async function writeWorkspaceFiles(root: string, files: readonly WorkspaceFile[]): Promise<void> {
  for (const file of files) await writeWorkspaceFile(root, file);
}

async function writeWorkspaceFile(root: string, file: WorkspaceFile): Promise<void> {
  const segments = file.path.split('/');
  const name = segments.pop() ?? '';
  try {
    const folder = await openFolderBeneath(root, segments, { create: true });
    try {
      await writeFileIn(folder, name, file);
    } finally {
      await folder.handle.close();
    }
  } catch (error) {
    throw await explain(error, root, file.path);
  }
}

async function writeFileIn(folder: OpenFolder, name: string, file: WorkspaceFile): Promise<void> {
  const handle = await openFileIn(folder, name, O_WRONLY | O_CREAT | O_TRUNC, 0o644);
  try {
    if (!(await handle.stat()).isFile())
      throw new WorkspacePathError(file.path, 'something that is no file is in its place');
    await handle.writeFile(file.content);
  } finally {
    await handle.close();
  }
}

async function explain(error: unknown, root: string, path: string): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ELOOP' || code === 'EMLINK') return new WorkspaceEscapeError(path);
  // A link to a folder is reported as "not a directory" too when links are not followed.
  if (code === 'ENOTDIR')
    return (await hasFileOnTheWay(root, path))
      ? new WorkspacePathError(path, 'a file is where a folder of it should be')
      : new WorkspaceEscapeError(path);
  if (code === 'EISDIR') return new WorkspacePathError(path, 'a folder is in its place');
  if (code === 'ENXIO') return new WorkspacePathError(path, 'something that is no file is in its place');
  return error;
}

/** Only for the message: the write was refused before. */
async function hasFileOnTheWay(root: string, path: string): Promise<boolean> {
  let place = root;
  for (const segment of path.split('/').slice(0, -1)) {
    place = join(place, segment);
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isDirectory() !== true) return stats?.isFile() === true;
  }
  return false;
}
