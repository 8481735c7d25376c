import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { migrateAll } from '@steward/migrations';
import { eventually } from '@steward/testing';
import pg from 'pg';
import { docker, inspectContainer } from '../docker.ts';
import { logInToBroker } from './log-in-to-broker.ts';

const POSTGRES = 'steward-check-keys-postgres';
const NATS = 'steward-check-keys-nats';

export interface KeyServers {
  /** Tries every login in a folder of secret files with a newly configured database and broker. */
  tryLogins(secretFolder: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts one database for all attempts, and for each attempt a broker with the given configuration file. */
export async function startKeyServers(natsConfig: string): Promise<KeyServers> {
  await stop();
  await docker(
    'run',
    '--detach',
    `--name=${POSTGRES}`,
    '--env=POSTGRES_USER=steward',
    '--env=POSTGRES_DB=steward',
    '--env=POSTGRES_PASSWORD=first',
    'pgvector/pgvector:pg17',
  );
  await eventually(() => docker('exec', POSTGRES, 'pg_isready', '-q', '-h', '127.0.0.1').then(() => true), {
    timeoutMs: 60_000,
    intervalMs: 300,
  });
  const address = await findAddress(POSTGRES);
  return {
    stop,
    async tryLogins(secretFolder) {
      const read = (name: string): string => readFileSync(resolve(secretFolder, name), 'utf8').trim();
      await setOwnerPassword(read('postgres-password'));
      await migrateAll({
        databaseUrl: moveUrl(read('database-url-owner'), address),
        rolePasswords: JSON.parse(read('role-passwords')) as Record<string, string>,
        log: () => undefined,
      });
      const files = readdirSync(secretFolder);
      const databases = files.filter((name) => name.startsWith('database-url-'));
      for (const name of databases) await logInToDatabase(moveUrl(read(name), address));
      const brokers = files.filter((name) => name.startsWith('nats-url-'));
      const broker = await restartBroker(natsConfig);
      for (const name of brokers) await logInToBroker(moveUrl(read(name), broker));
      return databases.length + brokers.length;
    },
  };
}

async function setOwnerPassword(password: string): Promise<void> {
  const statement = `alter role steward password ${pg.escapeLiteral(password)}`;
  await docker('exec', POSTGRES, 'psql', '-q', '-U', 'steward', '-d', 'steward', '-c', statement);
}

async function logInToDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end();
  }
}

async function restartBroker(config: string): Promise<string> {
  await docker('rm', '--force', NATS);
  await docker(
    'run',
    '--detach',
    `--name=${NATS}`,
    `--volume=${config}:/config:ro`,
    'nats:2-alpine',
    '-c',
    '/config',
    '-js',
  );
  return findAddress(NATS);
}

async function findAddress(name: string): Promise<string> {
  const { Networks } = (await inspectContainer(name)).NetworkSettings;
  return Object.values(Networks)[0]?.IPAddress ?? '';
}

function moveUrl(text: string, host: string): string {
  const url = new URL(text);
  url.hostname = host;
  return url.href;
}

async function stop(): Promise<void> {
  for (const name of [POSTGRES, NATS]) await docker('rm', '--force', '--volumes', name).catch(() => undefined);
}
