import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { prepareDataDirectory } from '../data-directory.ts';
import { retryTakenPort } from '../retry-taken-port.ts';
import { requireCommand } from '../run-command.ts';
import type { ResolveOptions } from '../server-options.ts';
import { findServerUser } from '../server-user.ts';
import { findPostgresInstallations } from './find-postgres.ts';
import { initCluster } from './init-cluster.ts';
import { installPostgres } from './install-postgres.ts';
import { startCluster, type PostgresServer } from './start-postgres.ts';

export interface ReplicatedPostgresOptions extends Omit<ResolveOptions, 'existingUrl' | 'source'> {
  /** Folders of the primary and of its standby. */
  readonly directories: { readonly primary: string; readonly standby: string };
}

export interface ReplicatedPostgres {
  readonly primary: PostgresServer;
  /** The standby, which replicates from the primary by streaming replication and serves reads. */
  readonly standby: PostgresServer;
  stop(): Promise<void>;
}

/**
 * Starts a temporary primary with a hot standby, from local binaries. @throws if there are none and none may be
 * installed
 */
export async function startReplicatedPostgres({
  directories,
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
  const primary = await retryTakenPort(() => startCluster({ ...cluster, directory }, kind));
  try {
    const copy = await prepareDataDirectory(directories.standby, user);
    await requireCommand(
      findBaseBackup(installation.binDirectory),
      ['-D', copy, '-X', 'stream', '-c', 'fast', '--no-sync', '--write-recovery-conf', '-d', primary.url],
      { cwd: '/', ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }) },
    );
    const standby = await retryTakenPort(() => startCluster({ ...cluster, directory: copy }, kind));
    return {
      primary,
      standby,
      async stop() {
        await standby.stop();
        await primary.stop();
      },
    };
  } catch (error) {
    await primary.stop();
    throw error;
  }
}

/**
 * Finds the program next to the server's binary, since PATH often contains links to some programs but not to this one.
 */
function findBaseBackup(binDirectory: string): string {
  return resolve(dirname(realpathSync(resolve(binDirectory, 'postgres'))), 'pg_basebackup');
}
