import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { removeTree } from './remove-tree.ts';

/** Folders of one execution. All paths are canonical: no component is a symbolic link. */
export interface Workspace {
  /** The worker's own: nothing in it can be renamed or replaced by a program. */
  readonly root: string;
  /** Holds the three below; the programs see it under this path. */
  readonly run: string;
  /** What the agent works in. */
  readonly directory: string;
  readonly home: string;
  /** What the worker hands to the programs; they only read it. */
  readonly input: string;
  readonly promptFile: string;
}

/** An empty workspace. Whatever an earlier worker may have left under this id is gone. */
export async function prepareWorkspace(workDirectory: string, executionId: string): Promise<Workspace> {
  await mkdir(workDirectory, { recursive: true, mode: 0o700 });
  const root = resolve(await realpath(workDirectory), executionId);
  await removeTree(root);
  const run = resolve(root, 'run');
  const workspace = {
    root,
    run,
    directory: resolve(run, 'workspace'),
    home: resolve(run, 'home'),
    input: resolve(run, 'input'),
    promptFile: resolve(run, 'input', 'prompt.txt'),
  };
  for (const folder of [run, workspace.directory, workspace.home, workspace.input])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  return workspace;
}

export async function removeWorkspace(workspace: Workspace): Promise<void> {
  await removeTree(workspace.root);
}

/** Removes what a worker that is gone left of an execution, if it is on this machine. */
export async function discardWorkspace(workDirectory: string, executionId: string): Promise<void> {
  await removeTree(resolve(workDirectory, executionId));
}
