import { mkdirSync, openSync, closeSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';

/** First and last id of a range of user ids that no other program uses. */
export interface UidRange {
  readonly first: number;
  readonly last: number;
}

/** User and group of one running execution. */
export interface AgentUser {
  readonly uid: number;
  readonly gid: number;
}

export interface AgentUsers {
  /** Claims a user that no running execution of this machine uses, and that owns no folder of the work directory. */
  claim(workDirectory: string): Promise<AgentUser>;
  release(user: AgentUser): void;
  includes(uid: number): boolean;
}

/** Parses a range of user ids. @throws Error with the reason in its message */
export function parseUidRange(text: string): UidRange {
  const match = /^(\d{1,10})-(\d{1,10})$/.exec(text.trim());
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || !(first >= 1000 && last >= first && last < 2 ** 32 - 2))
    throw new Error('must be two numbers from 1000 to 4294967293 separated by a dash, such as 2000000-2009999');
  return { first, last };
}

/**
 * Creates the allocator of the users in the range. A claim is a file created with O_EXCL in a folder that all workers
 * of the machine share. The content of the file identifies the process that holds the claim, so that a claim can be
 * taken over after its process has ended. Workers in containers do not share that folder but may share the work
 * directory; in this case, the groups of the folders in the work directory show which users are taken.
 */
export function createAgentUsers(range: UidRange, claimDirectory: string): AgentUsers {
  const count = range.last - range.first + 1;
  const pathOf = (uid: number): string => resolve(claimDirectory, String(uid));

  function tryClaim(uid: number): boolean {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        const handle = openSync(pathOf(uid), 'wx', 0o600);
        writeSync(handle, describeProcess(process.pid));
        closeSync(handle);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (isHeld(pathOf(uid))) return false;
      rmSync(pathOf(uid), { force: true });
    }
    return false;
  }

  return {
    includes: (uid) => uid >= range.first && uid <= range.last,
    async claim(workDirectory) {
      mkdirSync(claimDirectory, { recursive: true, mode: 0o700 });
      const taken = await listOwners(workDirectory);
      // Starts at a random id, so that two machines or containers that share a work directory rarely choose the same
      // user.
      const start = randomInt(count);
      for (let offset = 0; offset < count; offset += 1) {
        const uid = range.first + ((start + offset) % count);
        if (!taken.has(uid) && tryClaim(uid)) return { uid, gid: uid };
      }
      throw new Error(`all ${count} users of FLOW_AGENT_UID_RANGE are in use`);
    },
    release: ({ uid }) => rmSync(pathOf(uid), { force: true }),
  };
}

async function listOwners(workDirectory: string): Promise<Set<number>> {
  const owners = new Set<number>();
  for (const name of await readdir(workDirectory).catch(() => [])) {
    const stats = await stat(resolve(workDirectory, name, 'run')).catch(() => undefined);
    if (stats !== undefined) owners.add(stats.gid);
  }
  return owners;
}

function isHeld(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return false;
  }
  // An empty file was just created and has not been written yet.
  return text === '' || text === describeProcess(Number(text.split(' ')[0]));
}

/**
 * Describes a process by its id and its start time, which distinguishes the process from a later one with the same id.
 */
function describeProcess(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
  } catch {
    return `${pid} gone`;
  }
}
