import { chmodSync, chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Id of the user under which the containers run, as defined by the Node image. */
const CONTAINER_UID = 1000;
/** Files that third-party images read, each under its own user; no other container gets them. */
const FOREIGN_FILES = new Set(['postgres-password', 'nats-config']);

/**
 * Writes the files to a folder that only its owner may enter. In a container a file has the same owner and mode as
 * outside: if the owner can be changed, it belongs to the containers' user; otherwise every user who can reach it may
 * read it.
 */
export function writeDeploymentFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const uid = process.getuid?.() ?? CONTAINER_UID;
  const mode = uid === 0 || uid === CONTAINER_UID ? 0o400 : 0o444;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const [name, content] of Object.entries(files)) {
    const path = resolve(folder, name);
    // The file is renamed into place, so that the previous file is still complete if the process is interrupted.
    writeFileSync(`${path}.new`, content === '' ? '' : `${content}\n`, { mode: 0o600 });
    if (uid === 0) chownSync(`${path}.new`, CONTAINER_UID, CONTAINER_UID);
    chmodSync(`${path}.new`, chooseMode(name, mode));
    renameSync(`${path}.new`, path);
  }
}

function chooseMode(name: string, usual: number): number {
  // The flow worker runs as root in its container and can read any file, but its agents must not read its files.
  if (name.includes('flow')) return 0o400;
  return FOREIGN_FILES.has(name) ? 0o444 : usual;
}
