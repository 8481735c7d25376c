import { constants } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openFileIn, openFolderBeneath, type FileOwner } from './open-folder.ts';
import type { Workspace } from './prepare-workspace.ts';

/**
 * Writes a file for the programs of a run. The file is always newly created: nothing is written to an existing file of
 * that name, or through a link of that name.
 */
export async function writeInputFile(
  workspace: Workspace,
  input: { readonly name: string; readonly text: string; readonly owner: FileOwner | undefined },
): Promise<void> {
  const { name, text, owner } = input;
  await rm(resolve(workspace.input, name), { force: true });
  const folder = await openFolderBeneath(workspace.run, ['input'], { create: false });
  try {
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    const file = await openFileIn(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0o640);
    try {
      // The file is owned by the worker, and the group of the run can read it.
      if (owner !== undefined) await file.chown(process.getuid?.() ?? 0, owner.gid);
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  } finally {
    await folder.handle.close();
  }
}
