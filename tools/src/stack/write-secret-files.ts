import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileVariable } from '@steward/process';

/**
 * Writes each secret to a file that only its owner can read, and returns the variables that name the files. Files of an
 * earlier start are deleted first.
 */
export function writeSecretFiles(directory: string, secrets: Readonly<Record<string, string>>): Record<string, string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // The mode of an existing folder is not changed by `mkdir`.
  chmodSync(directory, 0o700);
  const entries = Object.entries(secrets).map(([variable, secret]) => ({
    variable,
    secret,
    name: variable.toLowerCase(),
  }));
  for (const { name, secret } of entries) {
    const path = resolve(directory, name);
    // The file is renamed into place, so that an app that starts in the meantime reads either the previous or the new
    // content, never a part.
    writeFileSync(`${path}.new`, secret, { mode: 0o600 });
    chmodSync(`${path}.new`, 0o600);
    renameSync(`${path}.new`, path);
  }
  const kept = new Set(entries.map(({ name }) => name));
  for (const name of readdirSync(directory)) if (!kept.has(name)) rmSync(resolve(directory, name), { recursive: true });
  return Object.fromEntries(entries.map(({ variable, name }) => [fileVariable(variable), resolve(directory, name)]));
}
