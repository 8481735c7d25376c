import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliContext } from '../cli-context.ts';
import { findConfigPath } from '../config/config-file.ts';
import { refuse } from '../exit-codes.ts';
import { isRunning } from '../is-running.ts';

/** Listener on this machine, with all data that it needs to continue where it stopped. */
export interface StoredListener {
  readonly id: string;
  readonly secret: string;
  readonly eventTypes: readonly string[];
  /** Id of the last event that was processed; undefined before the first one. */
  readonly place?: string | undefined;
  /** Id of the process that is listening, or that was killed while it was listening. */
  readonly pid?: number | undefined;
}

export interface ListenerFile {
  readonly path: string;
  read(): StoredListener | undefined;
  /**
   * Writes the file. It is readable only by its owner, and replaced atomically: if the command is killed, the previous
   * position remains.
   */
  write(listener: StoredListener): void;
}

/** Opens the file of a listener; each service, account and name has its own. */
export function openListenerFile(
  env: CliContext['env'],
  key: { readonly url: string; readonly accountId: string; readonly name: string },
): ListenerFile {
  const hash = createHash('sha256')
    .update(JSON.stringify([key.url, key.accountId, key.name]))
    .digest('hex');
  const path = join(dirname(findConfigPath(env)), 'listeners', `${hash.slice(0, 16)}.json`);
  return {
    path,
    read: () => readFile(path),
    write(listener) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.${process.pid}.tmp`;
      rmSync(temporary, { force: true });
      writeFileSync(temporary, `${JSON.stringify(listener, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
      chmodSync(temporary, 0o600);
      renameSync(temporary, path);
    },
  };
}

function readFile(path: string): StoredListener | undefined {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as StoredListener;
    return typeof stored.id === 'string' && typeof stored.secret === 'string' ? stored : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw refuse(`The listener file ${path} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Checks that the listener is not in use.
 * @throws refused if another process on this machine is listening with the same name
 */
export function requireAlone(
  { pid }: StoredListener,
  { name, path }: { readonly name: string; readonly path: string },
): void {
  if (pid === undefined || pid === process.pid || !isRunning(pid)) return;
  throw refuse(
    `Process ${pid} is already listening as "${name}": stop it, or use another --name. If process ${pid} is not a Steward listener, delete "pid" in ${path}.`,
  );
}
