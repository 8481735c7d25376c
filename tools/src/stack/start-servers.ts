import { resolve } from 'node:path';
import pg from 'pg';
import { startNats, startPostgres, type NatsServer, type PostgresServer } from '@steward/local-servers';
import { LOCAL_DIRECTORY } from './stack-files.ts';

export const POSTGRES_DIRECTORY = resolve(LOCAL_DIRECTORY, 'postgres');
export const NATS_DIRECTORY = resolve(LOCAL_DIRECTORY, 'nats');
const DATABASE = 'steward';

export interface StackServers {
  readonly postgres: PostgresServer;
  readonly nats: NatsServer;
  /** The suite's database, as a role that may migrate it. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export interface StartServersOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly allowInstall: boolean;
  readonly progress: (line: string) => void;
  readonly onExit: (reason: string) => void;
}

/** Both servers of the stack, with the suite's database created. */
export async function startServers(options: StartServersOptions): Promise<StackServers> {
  const { environment, ...shared } = options;
  const postgres = await startPostgres({
    ...shared,
    existingUrl: environment.DATABASE_URL,
    dataDirectory: POSTGRES_DIRECTORY,
    durable: true,
  });
  options.progress(postgres.description);
  try {
    const nats = await startNats({ ...shared, existingUrl: environment.NATS_URL, dataDirectory: NATS_DIRECTORY });
    options.progress(nats.description);
    return {
      postgres,
      nats,
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

async function ensureDatabase(adminUrl: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
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
