import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { runCommand } from '../run-command.ts';

const KINDS = ['postgres', 'nats'] as const;

/** Returns the name of the volume that belongs to a data folder. */
export function nameVolume(dataDirectory: string, kind: (typeof KINDS)[number]): string {
  return `steward-${kind}-${createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 12)}`;
}

/**
 * Removes the volumes of a data folder, and the containers that a killed process left on these volumes. Failures are
 * ignored, because Docker may be missing; in that case, there are no volumes.
 */
export async function removeVolumes(dataDirectory: string): Promise<void> {
  for (const kind of KINDS) {
    const name = nameVolume(dataDirectory, kind);
    await runCommand('docker', ['rm', '--force', name]);
    await runCommand('docker', ['volume', 'rm', '--force', name]);
  }
}

/**
 * Returns the superuser's password of a durable container. The first call creates the password and stores it next to
 * the data folder.
 */
export function readOrCreatePassword(dataDirectory: string): string {
  const file = `${dataDirectory}.password`;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const password = randomBytes(24).toString('base64url');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, password, { mode: 0o600 });
  return password;
}
