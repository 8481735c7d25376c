import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOCK = resolve(tmpdir(), 'steward-install.lock');
const WAIT_MS = 15 * 60_000;
const LOOK_MS = 250;

/**
 * Runs work while this process holds the machine's lock for installations: apt and `make install` cannot run in
 * parallel. The lock of a process that has ended is taken over.
 */
export async function withInstallLock<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  while (!tryLock(deadline)) await delay(LOOK_MS);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** Runs synchronous work in the same way as `withInstallLock`, and also waits for the lock synchronously. */
export function withInstallLockSync<T>(work: () => T): T {
  const deadline = Date.now() + WAIT_MS;
  while (!tryLock(deadline)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  try {
    return work();
  } finally {
    unlock();
  }
}

function unlock(): void {
  rmSync(LOCK, { recursive: true, force: true });
}

/**
 * Takes the lock if it is free; returns whether it succeeded.
 * @throws if the deadline has passed
 */
function tryLock(deadline: number): boolean {
  if (Date.now() > deadline) throw new Error(`another installation has held ${LOCK} for too long`);
  try {
    mkdirSync(LOCK);
  } catch {
    if (isHolderAlive()) return false;
    unlock();
    return tryLock(deadline);
  }
  writeFileSync(resolve(LOCK, 'pid'), String(process.pid));
  return true;
}

function isHolderAlive(): boolean {
  let pid: number;
  try {
    pid = Number(readFileSync(resolve(LOCK, 'pid'), 'utf8'));
  } catch {
    // The file with the process id does not exist yet if the lock has just been taken; in this case, the holder is
    // still running.
    return true;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
