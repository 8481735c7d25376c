import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { readServerChoices, removeDataDirectory, startPostgres, type PostgresServer } from '@steward/local-servers';
import { writeTestEnvironment } from '@steward/testing';
import { createTemplate } from './create-template.ts';

/**
 * Starts a Postgres server with a migrated template, for benches and chaos runs: the helpers of @steward/testing clone
 * the template as they do in tests. The server is durable: every commit is on disk before it is acknowledged, as in
 * production.
 */
export async function startThrowawayPostgres(): Promise<PostgresServer> {
  const dataDirectory = mkdtempSync(resolve(tmpdir(), 'steward-throwaway-'));
  const postgres = await startPostgres({
    dataDirectory,
    durable: true,
    ...readServerChoices(process.env),
    progress: (line) => console.log(line),
  });
  writeTestEnvironment(await createTemplate(postgres.url));
  return {
    url: postgres.url,
    origin: postgres.origin,
    description: postgres.description,
    toolDirectory: postgres.toolDirectory,
    get pid() {
      return postgres.pid;
    },
    restart: () => postgres.restart(),
    async stop() {
      await postgres.stop();
      await removeDataDirectory(dataDirectory);
    },
  };
}
