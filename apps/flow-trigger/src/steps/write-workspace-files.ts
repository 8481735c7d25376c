import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { platform } from 'node:os';
import type { WorkspaceFile } from '@steward/slice-flows';

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

const { O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/**
 * Writes validated files below a canonical root. Each folder is opened relative to the one before without following
 * links, so nothing that changes the tree meanwhile can lead a write elsewhere.
 */
export async function writeWorkspaceFiles(root: string, files: readonly WorkspaceFile[]): Promise<void> {
  for (const file of files) {
    const segments = file.path.split('/');
    const name = segments.pop() ?? '';
    const folder = await openFolder(root, segments, file.path);
    try {
      await writeFileAt(folder, name, file);
    } finally {
      await folder.handle.close();
    }
  }
}

interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
}

async function openFolder(root: string, segments: readonly string[], filePath: string): Promise<OpenFolder> {
  let folder: OpenFolder = { handle: await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path: root };
  for (const segment of segments) {
    try {
      const next = await enterFolder(folder, segment, filePath);
      await folder.handle.close();
      folder = next;
    } catch (error) {
      await folder.handle.close();
      throw error;
    }
  }
  return folder;
}

async function enterFolder(folder: OpenFolder, name: string, filePath: string): Promise<OpenFolder> {
  const path = placeIn(folder, name);
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return { handle, path: `${folder.path}/${name}` };
  } catch (error) {
    throw explain(error, filePath);
  }
}

async function writeFileAt(folder: OpenFolder, name: string, file: WorkspaceFile): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(placeIn(folder, name), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
  } catch (error) {
    throw explain(error, file.path);
  }
  try {
    if (!(await handle.stat()).isFile())
      throw new WorkspacePathError(file.path, 'something that is no file is in its place');
    await handle.writeFile(file.content);
  } finally {
    await handle.close();
  }
}

/** On Linux a path through the open folder itself, whatever its name has become; elsewhere its name. */
function placeIn(folder: OpenFolder, name: string): string {
  return platform() === 'linux' ? `/proc/self/fd/${folder.handle.fd}/${name}` : `${folder.path}/${name}`;
}

function explain(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // A link to a folder is reported as "not a directory" when links are not followed.
  if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENOTDIR') return new WorkspaceEscapeError(path);
  if (code === 'EISDIR') return new WorkspacePathError(path, 'a folder is in its place');
  if (code === 'ENXIO') return new WorkspacePathError(path, 'something that is no file is in its place');
  return error;
}
