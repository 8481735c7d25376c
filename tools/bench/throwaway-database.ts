import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { startPostgres } from '@steward/local-servers';
import { migrateAll } from '@steward/migrations';

/** A migrated database on a server of its own, gone after `stop`. */
export async function startThrowawayDatabase(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-bench-'));
  const server = await startPostgres({
    existingUrl: undefined,
    dataDirectory: resolve(scratch, 'postgres'),
    durable: false,
    allowInstall: true,
    progress: console.log,
    onExit: console.error,
  });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('create database bench');
  await admin.end();
  const url = new URL(server.url);
  url.pathname = '/bench';
  await migrateAll({ databaseUrl: url.href, rolePasswords: {}, log: () => undefined });
  return {
    url: url.href,
    async stop() {
      await server.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
