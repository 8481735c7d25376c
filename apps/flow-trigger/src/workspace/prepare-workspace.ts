import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { removeTree } from './remove-tree.ts';

/** Folders of one execution. All paths are canonical: no component is a symbolic link. */
export interface Workspace {
  /** Folder of the execution, owned by the worker: no program can rename or replace anything in it. */
  readonly root: string;
  /** Contains the three folders below; if programs run as children of the worker, they see it under this path. */
  readonly run: string;
  /** Working directory of the agent. */
  readonly directory: string;
  readonly home: string;
  /** Folder of the files that the worker writes for the programs; the programs can only read these files. */
  readonly input: string;
  readonly promptFile: string;
}

/** Creates an empty workspace. Removes anything that an earlier worker left under this id. */
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

/** Removes the folders of an execution that a crashed worker left, if they are on this machine. */
export async function discardWorkspace(workDirectory: string, executionId: string): Promise<void> {
  await removeTree(resolve(workDirectory, executionId));
}
