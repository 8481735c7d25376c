import { findRootPrefix, installPackages } from './apt/apt.ts';
import { withInstallLock } from './install-lock.ts';
import { runCommand } from './run-command.ts';
import type { ResolveOptions } from './server-options.ts';

/**
 * Requires programs on PATH, and installs the package of the same name for each missing program, if this is allowed.
 * @throws an error that names the programs that are still missing
 */
export async function ensurePrograms(
  names: readonly string[],
  options: Pick<ResolveOptions, 'allowInstall' | 'progress'>,
): Promise<void> {
  if ((await findMissing(names)).length === 0) return;
  const prefix = options.allowInstall ? await findRootPrefix() : undefined;
  if (prefix !== undefined) {
    await withInstallLock(async () => {
      // Another process may have installed the programs while this one waited for the lock.
      const missing = await findMissing(names);
      if (missing.length === 0) return;
      options.progress(`installing ${missing.join(', ')} with apt`);
      await installPackages(prefix, missing);
    });
  }
  const missing = await findMissing(names);
  if (missing.length > 0) throw new Error(`install ${missing.join(', ')} first`);
}

async function findMissing(names: readonly string[]): Promise<string[]> {
  const results = await Promise.all(names.map((name) => runCommand('sh', ['-c', `command -v ${name}`])));
  return names.filter((_name, index) => results[index]?.code !== 0);
}
