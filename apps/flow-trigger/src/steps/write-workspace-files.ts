import { constants } from 'node:fs';
import type { WorkspaceFile } from '@steward/slice-flows';
import { openFileIn, openFolderBeneath, type OpenFolder } from '../beneath/open-folder.ts';

/** A write would leave the workspace through a symbolic link (interface.md, workspace_files rule 9). */
export class WorkspaceEscapeError extends Error {
  constructor(path: string) {
    super(`workspace_files: "${path}" resolves outside the workspace through a symbolic link; the write was refused.`);
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
    throw explain(error, file.path);
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

function explain(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // A link to a folder is reported as "not a directory" when links are not followed.
  if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENOTDIR') return new WorkspaceEscapeError(path);
  if (code === 'EISDIR') return new WorkspacePathError(path, 'a folder is in its place');
  if (code === 'ENXIO') return new WorkspacePathError(path, 'something that is no file is in its place');
  return error;
}
