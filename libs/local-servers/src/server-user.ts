import { runCommand } from './run-command.ts';

/** User of a server. `undefined` means the caller, who is an ordinary user already. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The user of this process's servers never changes, and determining it starts two processes. */
let found: Promise<ServerUser | undefined> | undefined;

/** Postgres refuses to run as root, and no local server should: root switches to an account without privileges. */
export function findServerUser(): Promise<ServerUser | undefined> {
  found ??= process.getuid?.() === 0 ? findAccountWithoutRights() : Promise.resolve(undefined);
  // A failed attempt does not predict the result of the next.
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
