import { mkdirSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findFreePort, readServerChoices, removeDataDirectory, startNats, startPostgres } from '@steward/local-servers';
import { migrateAll } from '@steward/migrations';
import { APP_ROLES } from '@steward/database';
import { bundle } from '../../src/build/bundle-apps.ts';
import { createApi, type Api } from '../../src/demo/api.ts';
import { connectClient } from '../../src/servers/connect-client.ts';
import { startApps } from '../../src/stack/start-apps.ts';
import { LOCAL_DIRECTORY } from '../../src/stack/stack-files.ts';
import { createBenchDatabase } from '../create-bench-database.ts';
import { loadCorpus } from './load-corpus.ts';
import type { BenchOptions } from './options.ts';

export interface BenchAccount {
  readonly id: string;
  readonly token: string;
}

export interface BenchSuite {
  readonly apiUrl: string;
  readonly databaseUrl: string;
  readonly directory: string;
  readonly large: BenchAccount;
  readonly small: BenchAccount;
  /** Separate account for writes, so that the corpus that is searched stays unchanged. */
  readonly writer: BenchAccount;
  stop(): Promise<void>;
}

const PASSWORD = 'correct horse battery staple';
const SECRETS = {
  secretKey: 'a-secret-key-for-benches-only-012345678',
  rolePasswords: Object.fromEntries(Object.values(APP_ROLES).map((role) => [role, 'bench'])),
};

/**
 * Starts the suite on separate servers, with the corpus of the options: newly generated, or reused from an earlier run.
 */
export async function startBenchSuite(
  options: BenchOptions,
  progress: (line: string) => void,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchSuite> {
  const directory = resolve(LOCAL_DIRECTORY, `bench-search-${options.chunks}-${options.largeShare}-${options.seed}`);
  mkdirSync(directory, { recursive: true });
  const shared = { ...readServerChoices(process.env), progress, onExit: progress };
  const dataDirectory = resolve(directory, 'postgres');
  const postgres = await startPostgres({ ...shared, existingUrl: undefined, dataDirectory, durable: true });
  const nats = await startNats({
    ...shared,
    existingUrl: undefined,
    dataDirectory: resolve(directory, 'nats'),
    durable: false,
  });
  const databaseUrl = await createBenchDatabase(postgres.url);
  await migrateAll({ databaseUrl, rolePasswords: SECRETS.rolePasswords, log: progress });
  await bundle();
  const apiPort = await findFreePort();
  const apps = await startApps({
    databaseUrl,
    natsUrl: () => nats.url,
    secrets: SECRETS,
    apiPort,
    environment: {
      PATH: process.env.PATH ?? '',
      LOG_LEVEL: 'warn',
      // The limit is a protection that is not measured here.
      ACCOUNT_RATE_PER_MINUTE: '10000000',
      ...environment,
      ...(options.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` }),
    },
    logDirectory: directory,
    secretDirectory: resolve(directory, 'secrets'),
    onLine: () => undefined,
    onPids: () => undefined,
  });
  await apps.waitUntilHealthy(AbortSignal.timeout(60_000));
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const api = createApi(apiUrl);
  const large = await logIn(api, 'large');
  const small = await logIn(api, 'small');
  const writer = await logIn(api, 'writer');
  const marker = resolve(directory, 'loaded');
  if (!existsSync(marker)) {
    await loadCorpus({ databaseUrl, shape: options, accountIds: [large.id, small.id], progress });
    writeFileSync(marker, '');
  }
  await warmUp(databaseUrl, [large.id, small.id]);
  return {
    apiUrl,
    databaseUrl,
    directory,
    large,
    small,
    writer,
    async stop() {
      await apps.stop();
      await nats.stop();
      await postgres.stop();
      if (!options.wipe) return;
      await removeDataDirectory(dataDirectory);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Reads the data of the accounts once, so that the figures are those of a server that has been running for a while. */
async function warmUp(databaseUrl: string, accountIds: readonly string[]): Promise<void> {
  const client = await connectClient(databaseUrl);
  try {
    await client.query('select sum(length(tsv) + length(content)) from search.chunk where account_id = any ($1)', [
      accountIds,
    ]);
  } finally {
    await client.end();
  }
}

/** Logs in to the named account, which is registered in the first run and reused later. */
async function logIn(api: Api, name: string): Promise<BenchAccount> {
  const body = { username: `bench-${name}`, password: PASSWORD };
  await api.call('POST', '/api/v1/auth/register', { body: { ...body, email: `${name}@bench.test` } });
  const token = await api.call('POST', '/api/v1/auth/token/json', { body });
  const bearer = String(token.body.access_token);
  const me = await api.withToken(bearer).call('GET', '/api/v1/users/me');
  const key = await api.withToken(bearer).call('POST', '/api/v1/auth/api-keys', { body: { name: 'bench' } });
  return { id: String(me.body.account_id), token: String(key.body.key) };
}
