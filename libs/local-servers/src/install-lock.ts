import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOCK = resolve(tmpdir(), 'steward-install.lock');
const WAIT_MS = 15 * 60_000;

/**
 * Allows one installation at a time on this machine: apt and `make install` cannot run in parallel. The lock of a dead
 * process is taken over.
 */
export async function withInstallLock<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  while (!tryLock()) {
    if (Date.now() > deadline) throw new Error(`another installation has held ${LOCK} for too long`);
    await delay(250);
  }
  try {
    return await work();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

function tryLock(): boolean {
  try {
    mkdirSync(LOCK);
  } catch {
    if (isHolderAlive()) return false;
    rmSync(LOCK, { recursive: true, force: true });
    return tryLock();
  }
  writeFileSync(resolve(LOCK, 'pid'), String(process.pid));
  return true;
}

function isHolderAlive(): boolean {
  let pid: number;
  try {
    pid = Number(readFileSync(resolve(LOCK, 'pid'), 'utf8'));
  } catch {
    // Just created, not yet written.
    return true;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
