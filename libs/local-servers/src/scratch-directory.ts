import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { resolve } from 'node:path';

const GIBIBYTE = 1024 ** 3;
/**
 * Folder that is always an in-memory file system on Linux; in a container, its size is 64 MiB unless configured
 * otherwise.
 */
const IN_MEMORY = '/dev/shm';
/** Required free space of this folder in bytes; the servers of a whole test run need less than 1 GiB. */
const LEAST_FREE = 3 * GIBIBYTE;
/**
 * Minimum memory in bytes of a machine on which files are stored in memory: on a smaller one, all other programs would
 * lack the memory that these files occupy.
 */
const LEAST_MEMORY = 12 * GIBIBYTE;
const PREFIX = 'steward-test-';
/** Age in milliseconds after which the folders of ended processes are removed; longer than any test run. */
const STALE_MS = 2 * 60 * 60_000;

/**
 * Creates a folder for a server of a test run; the folder is deleted afterwards. The folder is in memory if the machine
 * has enough memory and the in-memory file system has enough free space, otherwise in the temporary folder. A folder in
 * memory is faster: every file of integration tests clones a database, which writes a copy of all its data.
 */
export function makeScratchDirectory(name: string): string {
  return mkdtempSync(resolve(chooseScratchDirectory(), `${PREFIX}${name}-${process.pid}-`));
}

export function chooseScratchDirectory(memory = totalmem(), free = measureFree(IN_MEMORY)): string {
  return memory >= LEAST_MEMORY && free >= LEAST_FREE ? IN_MEMORY : tmpdir();
}

/** Removes the folders that this process created; called while the process exits, after it has killed its servers. */
export function removeOwnScratch(directory = chooseScratchDirectory()): void {
  const own = new RegExp(`^${PREFIX}[a-z]+-${process.pid}-`);
  for (const name of readdirSync(directory).filter((each) => own.test(each))) {
    // A killed server may still write for a moment, so a failed removal is repeated.
    rmSync(resolve(directory, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
}

/** Removes folders left by killed test runs: in memory, these would stay until the machine restarts. */
export function removeStaleScratch(directory = chooseScratchDirectory(), now = Date.now()): void {
  for (const name of readdirSync(directory)) {
    const [, pid] = /^steward-test-[a-z]+-(\d+)-/.exec(name) ?? [];
    const path = resolve(directory, name);
    if (pid === undefined || isRunning(Number(pid)) || now - readTime(path) < STALE_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns the time of the last change to a folder. Returns infinity if the folder no longer exists, since another test
 * run may remove it at the same time.
 */
function readTime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

function measureFree(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
