import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
/** Age of a lock that was left behind by a killed command: longer than any token renewal takes. */
const STALE_MS = 45_000;

/** Runs `work` while this command holds the lock file; other commands wait. */
export async function holdLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  while (!takeLock(path)) await delay(POLL_MS);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function takeLock(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const takenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (takenAt !== undefined && Date.now() - takenAt > STALE_MS) rmSync(path, { force: true });
  return false;
}
