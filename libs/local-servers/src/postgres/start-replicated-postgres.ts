import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import pg from 'pg';
import { prepareDataDirectory } from '../data-directory.ts';
import { retryTakenPort } from '../retry-taken-port.ts';
import { requireCommand } from '../run-command.ts';
import type { ResolveOptions } from '../server-options.ts';
import { findServerUser } from '../server-user.ts';
import { findPostgresInstallations } from './find-postgres.ts';
import { initCluster } from './init-cluster.ts';
import { installPostgres } from './install-postgres.ts';
import { startCluster, type Cluster, type PostgresServer } from './start-postgres.ts';

export interface ReplicatedPostgresOptions extends Omit<ResolveOptions, 'existingUrl' | 'source'> {
  /** Folders of the primary and of its standby. */
  readonly directories: { readonly primary: string; readonly standby: string };
  /** True if a commit waits until the standby has received it, so that a failover loses no commits. */
  readonly isSynchronous?: boolean;
}

export interface ReplicatedPostgres {
  readonly primary: PostgresServer;
  /** The standby, which replicates from the primary by streaming replication and serves reads. */
  readonly standby: PostgresServer;
  /** Kills the primary, deletes its data, and makes the standby the primary. Afterwards, there is no standby. */
  failOver(): Promise<void>;
  /** Starts a new standby after a failover, in the folder of the former primary. */
  addStandby(): Promise<void>;
  /** Deletes the standby, and starts a new one in its folder. */
  replaceStandby(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a temporary primary with a hot standby, from local binaries.
 * @throws if no suitable binaries are found and none may be installed
 */
export async function startReplicatedPostgres({
  directories,
  isSynchronous = false,
  ...options
}: ReplicatedPostgresOptions): Promise<ReplicatedPostgres> {
  const [best] = await findPostgresInstallations();
  const installation = best?.hasVector === true ? best : await installPostgres({ ...options, source: 'local' });
  if (installation === undefined) throw new Error('Postgres with pgvector was not found, and may not be installed');
  const user = await findServerUser();
  const directory = await prepareDataDirectory(directories.primary, user);
  const { password } = await initCluster(installation, directory, user);
  const cluster = { installation, password, user };
  const kind = { ...options, durable: false, isReplicated: true };
  let primary = await retryTakenPort(() => startCluster({ ...cluster, directory }, kind));
  let standby: PostgresServer;
  const folders = [directories.standby, directories.primary];

  async function addStandby(): Promise<void> {
    const copy = await prepareDataDirectory(folders[0] ?? '', user);
    await copyCluster({ ...cluster, directory: copy }, primary.url);
    standby = await retryTakenPort(() => startCluster({ ...cluster, directory: copy }, kind));
    folders.reverse();
    // The setting is changed only after the primary was copied for the first time, so that this copy does not have it:
    // once the copy is the primary, there is no standby for which its commits could wait.
    if (!isSynchronous) return;
    await runStatement(primary.url, `alter system set synchronous_standby_names = '*'`);
    await runStatement(primary.url, 'select pg_reload_conf()');
  }

  try {
    await addStandby();
  } catch (error) {
    await primary.stop();
    throw error;
  }
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    addStandby,
    async failOver() {
      await primary.stop();
      primary = standby;
      await runStatement(primary.url, 'select pg_promote()');
    },
    async replaceStandby() {
      await standby.stop();
      folders.reverse();
      await addStandby();
    },
    async stop() {
      if (standby !== primary) await standby.stop();
      await primary.stop();
    },
  };
}

async function copyCluster({ installation, directory, user }: Cluster, from: string): Promise<void> {
  await requireCommand(
    findBaseBackup(installation.binDirectory),
    ['-D', directory, '-X', 'stream', '-c', 'fast', '--no-sync', '--write-recovery-conf', '-d', from],
    { cwd: '/', ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }) },
  );
}

/**
 * Returns the path of `pg_basebackup` next to the server's binary, since PATH often contains links to other programs of
 * Postgres but not to this one.
 */
function findBaseBackup(binDirectory: string): string {
  return resolve(dirname(realpathSync(resolve(binDirectory, 'postgres'))), 'pg_basebackup');
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
