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

/** A folder for the data of servers, whose space can be used up. */
export interface SmallDisk {
  readonly directory: string;
  /** How the space is used up, for the report. */
  readonly kind: 'small file system' | 'limit of file sizes';
  /** Uses the space up. @param servers - process ids of the servers that have their data there */
  fill(servers: readonly number[]): Promise<void>;
  /** Makes space again; servers that ended have to be started by the caller. */
  free(servers: readonly number[]): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const PIECES = [128 * 1024, 4096];

/**
 * Mounts a small file system in memory, which takes root. Where that is refused, the folder is an ordinary one, and the
 * servers may not enlarge a file: they see the same failures of their writes.
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
      // Quick, and in a process of its own; what the servers have taken or given back meanwhile is little.
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
