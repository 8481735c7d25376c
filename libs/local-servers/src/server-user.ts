import { runCommand } from './run-command.ts';

/** User under which servers run; if a function returns `undefined` instead, they run under the user of this process. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Cached result: the user never changes, and determining it starts up to four processes. */
let found: Promise<ServerUser | undefined> | undefined;

/**
 * Returns the user under which servers run. Postgres refuses to run as root, and other servers do not need root
 * privileges, so a process that runs as root starts all servers under an account without privileges.
 */
export function findServerUser(): Promise<ServerUser | undefined> {
  found ??= process.getuid?.() === 0 ? findAccountWithoutRights() : Promise.resolve(undefined);
  // A failure is not cached, since the next attempt may succeed.
  found.catch(() => (found = undefined));
  return found;
}

async function findAccountWithoutRights(): Promise<ServerUser> {
  for (const name of ['postgres', 'nobody']) {
    const uid = await readId('-u', name);
    const gid = await readId('-g', name);
    if (uid !== undefined && gid !== undefined) return { name, uid, gid };
  }
  throw new Error('running as root, but there is neither a "postgres" nor a "nobody" user to run the servers as');
}

async function readId(flag: '-u' | '-g', name: string): Promise<number | undefined> {
  const result = await runCommand('id', [flag, name]);
  const id = Number.parseInt(result.stdout, 10);
  return result.code === 0 && Number.isInteger(id) ? id : undefined;
}
