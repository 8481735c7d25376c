import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Release } from '@steward/testing';

export interface SuiteFolders {
  readonly logDirectory: string;
  readonly secretDirectory: string;
  /** Folder that contains the folders of the executions. */
  readonly workDirectory: string;
  readonly evidenceDirectory: string;
}

/** Creates the folders of a suite; each one is removed by a release function. */
export function makeFolders(onMade: (release: Release) => void): SuiteFolders {
  const makeFolder = (prefix: string): string => {
    const folder = mkdtempSync(resolve(tmpdir(), prefix));
    onMade(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const logDirectory = makeFolder('steward-e2e-');
  // The folder is separate from the logs, which tests search for secrets; agents cannot enter its parent folder.
  const secretDirectory = resolve(makeFolder('steward-e2e-secrets-'), 'secrets');
  const workDirectory = makeFolder('steward-e2e-flows-');
  // Users of agents have to traverse it if runs are separated only by users.
  chmodSync(workDirectory, 0o711);
  return { logDirectory, secretDirectory, workDirectory, evidenceDirectory: resolve(logDirectory, 'evidence') };
}

/** Replaces secrets, keyed by variable, in the files with which an app was started. */
export function replaceSecrets(directory: string, secrets: Readonly<Record<string, string>>): void {
  for (const [variable, secret] of Object.entries(secrets)) {
    const path = resolve(directory, variable.toLowerCase());
    // The flag allows only files that exist already: the app would not read a file of another name.
    writeFileSync(path, secret, { flag: 'r+' });
    truncateSync(path, Buffer.byteLength(secret));
  }
}
