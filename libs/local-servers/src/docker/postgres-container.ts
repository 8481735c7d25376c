import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { PostgresOptions, PostgresServer } from '../postgres/start-postgres.ts';
import { probePostgres } from '../postgres/probe-postgres.ts';
import { listServerSettings } from '../postgres/server-settings.ts';
import { waitForAnswer } from '../wait-for-answer.ts';
import { installDockerClient } from './docker-client.ts';
import { POSTGRES_IMAGE } from './docker.ts';
import { nameVolume, readOrCreatePassword } from './volumes.ts';

/** Starts Postgres with pgvector in a container; a durable server keeps its data in a named volume. */
export async function startPostgresContainer(options: PostgresOptions): Promise<PostgresServer> {
  options.progress(`starting ${POSTGRES_IMAGE} with Docker`);
  installDockerClient();
  const [{ Wait }, { startContainer }] = await Promise.all([import('testcontainers'), import('./start-container.ts')]);
  const password = options.durable
    ? readOrCreatePassword(options.dataDirectory)
    : randomBytes(24).toString('base64url');
  const container = await startContainer({
    image: POSTGRES_IMAGE,
    command: ['postgres', ...listServerSettings(options.durable).map((part) => part.replace('=127.0.0.1', '=*'))],
    environment: { POSTGRES_USER: 'steward', POSTGRES_PASSWORD: password, POSTGRES_DB: 'postgres' },
    port: 5432,
    // The check uses TCP: the temporary server that initializes an empty volume listens only on its Unix socket, and
    // with a filled volume there is no such server.
    waitStrategy: Wait.forSuccessfulCommand('pg_isready -q -h 127.0.0.1'),
    stopWithinMs: options.durable ? 20_000 : 0,
    ...(options.durable
      ? { volume: { name: nameVolume(options.dataDirectory, 'postgres'), target: '/var/lib/postgresql/data' } }
      : {}),
  });
  const url = `postgres://steward:${password}@${container.host}:${container.port}/postgres`;
  return {
    url,
    origin: 'docker',
    description: `${POSTGRES_IMAGE} in Docker`,
    pid: undefined,
    toolDirectory: resolve(import.meta.dirname, 'postgres-tools'),
    stop: () => container.stop(),
    async restart() {
      await container.restart();
      await waitForAnswer(() => probePostgres(url));
    },
  };
}
