import { resolve } from 'node:path';
import type { BrokerUser } from '@steward/contracts';
import { secureDatabaseUrl } from '@steward/database';
import {
  startNats,
  startPostgres,
  type NatsServer,
  type PostgresServer,
  type ServerSource,
} from '@steward/local-servers';
import { loadSettings, readDatabaseTls, tlsSettings } from '@steward/process';
import { buildBrokerUrl, listBrokerUsers, type BrokerPasswords } from '../broker/broker-users.ts';
import { readSecret } from '../read-secret.ts';
import { connectClient } from '../servers/connect-client.ts';
import type { StackProcess } from './end-orphans.ts';
import { LOCAL_DIRECTORY } from './stack-files.ts';

export const POSTGRES_DIRECTORY = resolve(LOCAL_DIRECTORY, 'postgres');
export const NATS_DIRECTORY = resolve(LOCAL_DIRECTORY, 'nats');
const DATABASE = 'steward';

export interface StackServers {
  readonly postgres: PostgresServer;
  readonly nats: NatsServer;
  /** Returns the broker's URL with a user's login; a URL from the environment stays unchanged. */
  natsUrl(user: BrokerUser): string;
  /** URL of the suite's database, with a role that may migrate it. */
  readonly databaseUrl: string;
  /** Servers that run as local processes; Docker ends containers. */
  readonly processes: readonly StackProcess[];
  stop(): Promise<void>;
}

export interface StartServersOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly source: ServerSource;
  readonly brokerPasswords: BrokerPasswords;
  readonly allowInstall: boolean;
  readonly progress: (line: string) => void;
  readonly onExit: (reason: string) => void;
}

/** Starts both servers of the stack, and creates the suite's database. */
export async function startServers(options: StartServersOptions): Promise<StackServers> {
  const { environment, brokerPasswords, ...shared } = options;
  const postgres = await startPostgres({
    ...shared,
    existingUrl: readDatabaseUrl(environment),
    dataDirectory: POSTGRES_DIRECTORY,
    durable: true,
  });
  options.progress(postgres.description);
  try {
    const nats = await startNats({
      ...shared,
      existingUrl: readSecret(environment, 'NATS_URL'),
      dataDirectory: NATS_DIRECTORY,
      durable: true,
      users: listBrokerUsers((user) => brokerPasswords[user]),
    });
    options.progress(nats.description);
    return {
      postgres,
      nats,
      processes: [
        ...(postgres.pid === undefined ? [] : [{ name: 'postgres', pid: postgres.pid, command: 'postgres -D' }]),
        ...(nats.pid === undefined ? [] : [{ name: 'nats', pid: nats.pid, command: 'nats-server' }]),
      ],
      natsUrl: (user) => (nats.origin === 'environment' ? nats.url : buildBrokerUrl(nats.url, user, brokerPasswords)),
      databaseUrl: postgres.origin === 'environment' ? postgres.url : await ensureDatabase(postgres.url),
      async stop() {
        await nats.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Returns the server configured in the environment, with the TLS files that the apps also get. */
function readDatabaseUrl(environment: NodeJS.ProcessEnv): string | undefined {
  const url = readSecret(environment, 'DATABASE_URL');
  return url && secureDatabaseUrl(url, readDatabaseTls(loadSettings(tlsSettings.database, environment)));
}

async function ensureDatabase(adminUrl: string): Promise<string> {
  const admin = await connectClient(adminUrl);
  try {
    const found = await admin.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await admin.query(`create database ${DATABASE}`);
  } finally {
    await admin.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}
