import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { refuse } from '../exit-codes.ts';

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
  takeLock(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function takeLock(path: string): void {
  if (write(path)) return;
  const holder = readHolder(path);
  // The lock of a command that was killed is left behind.
  if (holder !== undefined && holder.host === hostname() && !isRunning(holder.pid)) {
    rmSync(path, { force: true });
    if (write(path)) return;
  }
  const who = holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host}, since ${holder.since})`;
  throw refuse(`Another apply${who} uses this state: wait for it, or delete ${path} if it no longer runs.`);
}

/** Returns false if the file exists. */
function write(path: string): boolean {
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    writeFileSync(path, `${JSON.stringify(holder)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw refuse(`${path} cannot be written (${code ?? 'unknown error'}).`);
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    // The other command has not written it yet, or has just ended.
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
