import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { startChildServer, type ChildServerOptions } from '../child-server.ts';
import { prepareDataDirectory } from '../data-directory.ts';
import { mayUseDocker } from '../docker/docker.ts';
import { startPostgresContainer } from '../docker/postgres-container.ts';
import { findFreePort } from '../find-free-port.ts';
import { retryTakenPort } from '../retry-taken-port.ts';
import { findServerUser, type ServerUser } from '../server-user.ts';
import type { ResolveOptions, ServerOrigin } from '../server-options.ts';
import { findPostgresInstallations, type PostgresInstallation } from './find-postgres.ts';
import { initCluster, SUPERUSER } from './init-cluster.ts';
import { installPostgres } from './install-postgres.ts';
import { probePostgres } from './probe-postgres.ts';
import { listServerSettings } from './server-settings.ts';

export interface PostgresOptions extends ResolveOptions {
  /** Requested data folder of the cluster; another one is used if the server's user cannot enter the requested one. */
  readonly dataDirectory: string;
  /** False for tests: no data is synced to the disk, and the data is deleted after `stop`. */
  readonly durable: boolean;
  /** True if a standby can replicate from the server. */
  readonly isReplicated?: boolean;
}

export interface PostgresServer {
  /** Superuser URL of the database `postgres`. */
  readonly url: string;
  readonly origin: ServerOrigin;
  readonly description: string;
  readonly pid: number | undefined;
  /**
   * Folder of `pg_dump`, `pg_restore` and similar programs for this server; undefined if they have to be found on PATH.
   */
  readonly toolDirectory: string | undefined;
  stop(): Promise<void>;
  /** Ends all sessions and starts the server again with the same port and data. */
  restart(): Promise<void>;
}

const HOW_TO_INSTALL = `Postgres with pgvector was not found. Do one of:
  - set DATABASE_URL to a Postgres 15 or newer that has the extensions vector and btree_gin
  - install PostgreSQL 15+ and pgvector (Debian 13: apt-get install postgresql postgresql-17-pgvector; macOS: brew install postgresql@17 pgvector)
  - start Docker
  - on Debian or Ubuntu run as root, or with password-less sudo, without --no-install`;

/**
 * Returns a Postgres with pgvector: the running one that the environment names, otherwise one that is started from
 * local binaries, Docker or newly installed packages, in this order.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  if (options.existingUrl !== undefined) return useExisting(options.existingUrl);
  const [best] = options.source === 'docker' ? [] : await findPostgresInstallations();
  if (best?.hasVector === true) return retryTakenPort(() => startLocal(best, options));
  if (await mayUseDocker(options)) return retryTakenPort(() => startPostgresContainer(options));
  const installed = await installPostgres(options);
  if (installed !== undefined) return retryTakenPort(() => startLocal(installed, options));
  throw new Error(HOW_TO_INSTALL);
}

function useExisting(url: string): PostgresServer {
  return {
    url,
    origin: 'environment',
    description: 'Postgres set by the environment',
    pid: undefined,
    toolDirectory: undefined,
    stop: () => Promise.resolve(),
    restart: () => Promise.reject(new Error('a server set by the environment cannot be restarted')),
  };
}

async function startLocal(installation: PostgresInstallation, options: PostgresOptions): Promise<PostgresServer> {
  const user = await findServerUser();
  const directory = await prepareDataDirectory(options.dataDirectory, user);
  // Clients of a temporary server send the password as plain text, which takes them less CPU time. This is safe, since
  // the server listens only on the loopback interface.
  const { password } = await initCluster(
    installation,
    directory,
    user,
    options.durable || options.isReplicated === true ? undefined : 'password',
  );
  return startCluster({ installation, directory, password, user }, options);
}

/** Options that repeat a failed removal: the processes of a killed server may still write for a moment. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

export interface Cluster {
  readonly installation: PostgresInstallation;
  readonly directory: string;
  readonly password: string;
  readonly user: ServerUser | undefined;
}

/** Starts the server of an existing data folder. */
export async function startCluster(
  { installation, directory, password, user }: Cluster,
  options: Pick<PostgresOptions, 'durable' | 'isReplicated' | 'onExit'>,
): Promise<PostgresServer> {
  const socketDirectory = mkdtempSync(resolve(tmpdir(), 'steward-pg-'));
  if (user !== undefined) chownSync(socketDirectory, user.uid, user.gid);
  const port = await findFreePort();
  const url = `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const childOptions: ChildServerOptions = {
    name: `PostgreSQL ${installation.major}`,
    file: resolve(installation.binDirectory, 'postgres'),
    args: [
      '-D',
      directory,
      '-p',
      String(port),
      '-k',
      socketDirectory,
      ...listServerSettings(options.durable, options.isReplicated),
    ],
    user,
    // This signal requests a fast shutdown: sessions are ended and a checkpoint is written.
    stopSignal: 'SIGINT',
    probe: () => probePostgres(url),
    ...(options.onExit === undefined ? {} : { onExit: options.onExit }),
  };
  let server = await startChildServer(childOptions);
  return {
    url,
    origin: 'local',
    description: `PostgreSQL ${installation.major} in ${directory}`,
    get pid() {
      return server.pid;
    },
    toolDirectory: installation.binDirectory,
    async restart() {
      await server.stop();
      server = await startChildServer(childOptions);
    },
    async stop() {
      // A test cluster is deleted, so it needs no checkpoint.
      await (options.durable ? server.stop() : server.kill());
      rmSync(socketDirectory, { recursive: true, force: true });
      // The password file is next to the data folder.
      if (!options.durable) for (const path of [directory, `${directory}.password`]) rmSync(path, REMOVAL);
    },
  };
}
