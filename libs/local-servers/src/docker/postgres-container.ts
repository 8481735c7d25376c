import { randomBytes } from 'node:crypto';
import type { PostgresOptions, PostgresServer } from '../postgres/start-postgres.ts';
import { listServerSettings } from '../postgres/server-settings.ts';
import { POSTGRES_IMAGE } from './docker.ts';
import { nameVolume, readOrCreatePassword } from './volumes.ts';

/** Postgres with pgvector in a container; a durable one keeps its data in a named volume. */
export async function startPostgresContainer(options: PostgresOptions): Promise<PostgresServer> {
  options.progress(`starting ${POSTGRES_IMAGE} with Docker`);
  // Loaded on demand: the client is large and most machines never need it.
  const { GenericContainer, Wait } = await import('testcontainers');
  const password = options.durable
    ? readOrCreatePassword(options.dataDirectory)
    : randomBytes(24).toString('base64url');
  const settings = listServerSettings(options.durable).map((part) => part.replace('=127.0.0.1', '=*'));
  let container = new GenericContainer(POSTGRES_IMAGE)
    .withEnvironment({ POSTGRES_USER: 'steward', POSTGRES_PASSWORD: password, POSTGRES_DB: 'postgres' })
    .withCommand(['postgres', ...settings])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2));
  if (options.durable)
    container = container.withBindMounts([
      { source: nameVolume(options.dataDirectory, 'postgres'), target: '/var/lib/postgresql/data' },
    ]);
  const started = await container.start();
  return {
    url: `postgres://steward:${password}@${started.getHost()}:${started.getMappedPort(5432)}/postgres`,
    origin: 'docker',
    description: `${POSTGRES_IMAGE} in Docker`,
    pid: undefined,
    stop: async () => {
      await started.stop();
    },
    // Docker may give it another port, and nobody could be told.
    restart: () => Promise.reject(new Error('a Postgres in Docker cannot be restarted in place')),
  };
}
