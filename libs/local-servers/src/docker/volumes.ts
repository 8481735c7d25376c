import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Name of the volume that belongs to a data folder. */
export function nameVolume(dataDirectory: string, kind: string): string {
  return `steward-${kind}-${createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 12)}`;
}

/** The superuser's password of a durable container: made once, kept beside where the data would be. */
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
