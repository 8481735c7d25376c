import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { refuse } from '../exit-codes.ts';
import { isRunning } from '../is-running.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/**
 * Runs `work` while no other apply on this machine, or on one that shares the folder, uses the same state.
 * @throws refused at once if one does, naming it
 */
export async function holdState<T>(statePath: string, work: () => Promise<T>): Promise<T> {
  const path = `${statePath}.lock`;
  const lock = takeLock(path);
  try {
    return await work();
  } finally {
    // Somebody may have deleted it, after which another command took it.
    removeLock(path, lock);
  }
}

/** Takes the lock, and returns its text. */
function takeLock(path: string): string {
  const own: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const lock = `${JSON.stringify({ ...own, id: randomUUID() })}\n`;
  if (write(path, lock)) return lock;
  const other = read(path);
  const holder = parseHolder(other);
  if (holder !== undefined && isLeftBehind(holder) && removeLock(path, other) && write(path, lock)) return lock;
  const who = holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host}, since ${holder.since})`;
  throw refuse(
    `Another "steward apply"${who} is using this state file: wait until that command ends; if it is no longer running, delete ${path}.`,
  );
}

/** Returns false if the file exists. */
function write(path: string, lock: string): boolean {
  try {
    writeFileSync(path, lock, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw refuse(`${path} cannot be written (${code ?? 'unknown error'}).`);
  }
}

/**
 * Removes the lock with this text; returns false if there is another one or none. It is renamed first, since two
 * commands may find the same lock left behind, and the second one must not remove that of the first one.
 */
function removeLock(path: string, lock: string): boolean {
  if (read(path) !== lock) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  const isIt = read(aside) === lock;
  if (!isIt) restore(aside, path);
  rmSync(aside, { force: true });
  return isIt;
}

function restore(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    // Another command has taken the lock in the meantime.
  }
}

/** Returns the text of a file; an empty one if it cannot be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns undefined if the other command has not written the lock yet, or has just ended. */
function parseHolder(lock: string): Holder | undefined {
  try {
    const holder = JSON.parse(lock) as Holder;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if the command was killed. In containers, this process may have the same number as that command. */
function isLeftBehind({ host, pid, since }: Holder): boolean {
  if (host !== hostname()) return false;
  if (pid !== process.pid) return !isRunning(pid);
  return Date.parse(since) < Date.now() - process.uptime() * 1000;
}
