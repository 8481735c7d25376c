import { readFileSync, statSync, type Stats } from 'node:fs';

/** Maximum size of a secret file in bytes, which exceeds the size of any key, URL or list of these. */
const MAX_BYTES = 64 * 1024;
/**
 * Folder where container engines mount secrets. Files in it cause no warning: the engine sets their mode, and the
 * container has no other user.
 */
const ENGINE_DIRECTORY = '/run/secrets/';

/** Content of a secret file, without surrounding white space; `warning` describes what to change about the file. */
export interface SecretFile {
  readonly text: string;
  readonly warning?: string;
}

/**
 * Reads the file of a `<VARIABLE>_FILE` setting.
 * @throws Error whose message describes the problem, but never contains the content
 */
export function readSecretFile(path: string, { maxBytes = MAX_BYTES } = {}): SecretFile {
  const stats = attempt(path, () => statSync(path));
  if (stats.isDirectory()) throw new Error(`names a folder, not a file: ${path}`);
  if (stats.size > maxBytes) throw new Error(`is larger than ${maxBytes} bytes: ${path}`);
  const text = attempt(path, () => readFileSync(path, 'utf8')).trim();
  return isOpenToOthers(path, stats)
    ? {
        text,
        warning: `can be read by every user of this machine (${path}); run chmod 600 to restrict it to its owner`,
      }
    : { text };
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EACCES'
          ? 'cannot be read by this user'
          : `cannot be read (${code ?? 'unknown'})`;
    throw new Error(`${reason}: ${path}`, { cause: error });
  }
}

function isOpenToOthers(path: string, stats: Stats): boolean {
  return (stats.mode & 0o004) !== 0 && !path.startsWith(ENGINE_DIRECTORY);
}
