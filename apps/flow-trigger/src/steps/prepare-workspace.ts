import { mkdir, realpath, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Folders of one execution. All paths are canonical: no component is a symbolic link. */
export interface Workspace {
  readonly root: string;
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
  await rm(root, { recursive: true, force: true });
  const workspace = {
    root,
    directory: resolve(root, 'workspace'),
    home: resolve(root, 'home'),
    input: resolve(root, 'input'),
    promptFile: resolve(root, 'input', 'prompt.txt'),
  };
  await mkdir(workspace.directory, { recursive: true, mode: 0o700 });
  for (const folder of [workspace.home, workspace.input]) await mkdir(folder, { mode: 0o700 });
  return workspace;
}

export async function removeWorkspace(workspace: Workspace): Promise<void> {
  await rm(workspace.root, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes what a worker that is gone left of an execution, if it is on this machine. */
export async function discardWorkspace(workDirectory: string, executionId: string): Promise<void> {
  await rm(resolve(workDirectory, executionId), { recursive: true, force: true, maxRetries: 3 });
}
