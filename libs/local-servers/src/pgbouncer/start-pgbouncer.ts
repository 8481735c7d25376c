import { chownSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startChildServer } from '../child-server.ts';
import { prepareDataDirectory } from '../data-directory.ts';
import { ensurePrograms } from '../ensure-programs.ts';
import { findFreePort } from '../find-free-port.ts';
import { probePostgres } from '../postgres/probe-postgres.ts';
import type { ResolveOptions } from '../server-options.ts';
import { findServerUser } from '../server-user.ts';

export interface PgBouncerOptions extends Pick<ResolveOptions, 'allowInstall' | 'progress'> {
  /** Folder to which the configuration of the pooler and the logins are written. */
  readonly directory: string;
  /** URL of the server to which the pooler connects; its user and password must be among `logins`. */
  readonly url: string;
  /** Passwords by user name. */
  readonly logins: Readonly<Record<string, string>>;
  /** Maximum number of connections to the server for each pair of user and database. */
  readonly poolSize: number;
}

export interface PgBouncer {
  /** URL of the server through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts a PgBouncer in transaction mode for a Postgres, with the program from PATH or from Debian's package. */
export async function startPgBouncer({
  directory,
  url,
  logins,
  poolSize,
  ...install
}: PgBouncerOptions): Promise<PgBouncer> {
  await ensurePrograms(['pgbouncer'], install);
  const user = await findServerUser();
  const folder = await prepareDataDirectory(directory, user);
  const port = await findFreePort();
  const server = new URL(url);
  const write = (name: string, lines: readonly string[]): string => {
    const path = resolve(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    if (user !== undefined) chownSync(path, user.uid, user.gid);
    return path;
  };
  const users = write(
    'users.txt',
    Object.entries(logins).map(([name, password]) => `"${name}" "${password}"`),
  );
  const configuration = write('pgbouncer.ini', [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    `listen_addr = ${HOST}`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'max_client_conn = 1000',
    `default_pool_size = ${poolSize}`,
  ]);
  const pooled = new URL(url);
  pooled.hostname = HOST;
  pooled.port = String(port);
  const child = await startChildServer({
    name: 'pgbouncer',
    file: 'pgbouncer',
    args: [configuration],
    user,
    stopSignal: 'SIGINT',
    probe: () => probePostgres(pooled.href),
  });
  return { url: pooled.href, stop: () => child.stop() };
}
