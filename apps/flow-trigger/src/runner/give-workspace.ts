import { chmod, chown } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FileOwner } from '../workspace/open-folder.ts';
import type { Workspace } from '../workspace/prepare-workspace.ts';

/**
 * Makes the run's user the owner of the working directory and of the home; the other folders of the execution remain
 * owned by the worker, so that none of them can be replaced.
 */
export async function giveWorkspace(workspace: Workspace, user: FileOwner, isHidden: boolean): Promise<void> {
  for (const folder of [workspace.directory, workspace.home]) await chown(folder, user.uid, user.gid);
  for (const folder of [workspace.root, workspace.run, workspace.input]) {
    await chown(folder, 0, user.gid);
    await chmod(folder, 0o750);
  }
  // The work folder can be accessed by path, but not listed. In a separate mount namespace, it is not visible at all.
  if (!isHidden) await chmod(resolve(workspace.root, '..'), 0o711);
}
