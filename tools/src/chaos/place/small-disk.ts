import { execFile } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** A folder for the data of servers, on a disk that can be filled. */
export interface SmallDisk {
  readonly directory: string;
  /** How the disk is filled, for the report. */
  readonly kind: 'small file system' | 'limit of file sizes';
  /** Fills the disk. @param servers - process ids of the servers whose data is on it */
  fill(servers: readonly number[]): Promise<void>;
  /** Frees the space again; the caller has to start servers that have stopped. */
  free(servers: readonly number[]): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const PIECES = [128 * 1024, 4096];

/**
 * Mounts a small file system in memory, which requires root. If that fails, the folder is an ordinary one, and filling
 * it sets the maximum file size of the servers to zero: their writes fail in the same way.
 */
export async function createSmallDisk(megabytes: number): Promise<SmallDisk> {
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-disk-'));
  chmodSync(directory, 0o755);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory]);
  } catch {
    return limitFiles(directory);
  }
  const filler = resolve(directory, 'filler');
  return {
    directory,
    kind: 'small file system',
    async fill() {
      const { bavail, bsize } = statfsSync(directory);
      // This is fast and runs in a separate process; the servers use or free little space in the meantime.
      await run('fallocate', ['-l', String(Math.max(1, bavail - 16) * bsize), filler]).catch(() => undefined);
      writeUntilFull(filler);
    },
    free: () => Promise.resolve(rmSync(filler, { force: true })),
    async remove() {
      await run('umount', ['--lazy', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function limitFiles(directory: string): SmallDisk {
  const limit = async (servers: readonly number[], bytes: string): Promise<void> => {
    for (const pid of servers.flatMap((server) => [server, ...listChildren(server)]))
      // A process that has ended in the meantime needs no limit.
      await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]).catch(() => undefined);
  };
  return {
    directory,
    kind: 'limit of file sizes',
    fill: (servers) => limit(servers, '0'),
    free: (servers) => limit(servers, 'unlimited'),
    remove: () => Promise.resolve(rmSync(directory, { recursive: true, force: true })),
  };
}

function writeUntilFull(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (const size of PIECES) {
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

function listChildren(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readParent(name) === parent)
    .map(Number);
}

function readParent(pid: string): number | undefined {
  try {
    // The name of the program, in parentheses, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ');
    return Number(fields?.[1]);
  } catch {
    return undefined;
  }
}
