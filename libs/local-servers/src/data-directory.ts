import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { removeVolumes } from './docker/volumes.ts';
import { runCommand } from './run-command.ts';
import type { ServerUser } from './server-user.ts';

/**
 * Root of the data folders that are used if the requested ones are in a home directory that the server's user may not
 * enter.
 */
const FALLBACK_ROOT = '/var/lib/steward-local';

/** Creates the data folder of a server for the server's user. Returns its actual path. */
export async function prepareDataDirectory(wanted: string, user: ServerUser | undefined): Promise<string> {
  const directory = await placeDirectory(wanted, user);
  // The parent is created separately, because the server's user must be able to traverse it.
  mkdirSync(resolve(directory, '..'), { recursive: true, mode: 0o755 });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  return directory;
}

/**
 * Deletes a server's data at its possible locations (the folder, its replacement, the volumes of a container), and the
 * stored passwords.
 */
export async function removeDataDirectory(wanted: string): Promise<void> {
  for (const directory of [wanted, fallbackFor(wanted)]) {
    rmSync(directory, { recursive: true, force: true });
    rmSync(`${directory}.password`, { force: true });
  }
  await removeVolumes(wanted);
}

/**
 * Returns the requested folder, or its replacement if the replacement already exists, or if the user may not enter the
 * parent of the requested folder. Creates neither of these two folders.
 */
export async function placeDirectory(
  wanted: string,
  user: Pick<ServerUser, 'uid' | 'gid'> | undefined,
): Promise<string> {
  if (user === undefined) return wanted;
  const fallback = fallbackFor(wanted);
  if (existsSync(fallback)) return fallback;
  const parent = resolve(wanted, '..');
  mkdirSync(parent, { recursive: true });
  return (await mayEnter(parent, user)) ? wanted : fallback;
}

function fallbackFor(wanted: string): string {
  const hash = createHash('sha256').update(resolve(wanted)).digest('hex').slice(0, 16);
  return resolve(FALLBACK_ROOT, hash);
}

/**
 * Returns whether the user may enter a folder. The check runs as that user, because the result depends on the
 * permissions of every folder in the path.
 */
async function mayEnter(directory: string, user: Pick<ServerUser, 'uid' | 'gid'>): Promise<boolean> {
  const result = await runCommand('test', ['-x', directory], { uid: user.uid, gid: user.gid, cwd: '/' });
  return result.code === 0;
}
