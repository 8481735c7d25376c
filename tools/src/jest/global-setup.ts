import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { startPostgres } from '@steward/local-servers';
import { migrateAll } from '@steward/migrations';
import pg from 'pg';
import { TEST_ENVIRONMENT, writeTestEnvironment } from '@steward/testing';
import { keepServers } from './running-servers.ts';

/**
 * Runs once before the integration tests of a whole run: one throw-away Postgres and one migrated template database.
 * Each test file clones the template, so files cannot see each other's rows. Brokers are started per file.
 */
export default async function setUp(): Promise<void> {
  if (process.env[TEST_ENVIRONMENT] !== undefined) return;
  const progress = (line: string): void => void process.stderr.write(`test set-up: ${line}\n`);
  const allowInstall = process.env.STEWARD_NO_INSTALL !== '1';
  const postgres = await startPostgres({
    existingUrl: process.env.TEST_DATABASE_URL,
    dataDirectory: mkdtempSync(resolve(tmpdir(), 'steward-test-postgres-')),
    durable: false,
    allowInstall,
    progress,
  });
  keepServers(postgres);
  const template = `steward_template_${randomBytes(6).toString('hex')}`;
  const passwords = Object.fromEntries(
    Object.values(APP_ROLES).map((role) => [role, randomBytes(18).toString('base64url')]),
  );
  await createTemplate(postgres.url, template, passwords);
  writeTestEnvironment({ adminUrl: postgres.url, template, rolePasswords: passwords });
}

async function createTemplate(adminUrl: string, template: string, passwords: Record<string, string>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`create database ${template}`);
    const url = new URL(adminUrl);
    url.pathname = `/${template}`;
    await migrateAll({ databaseUrl: url.href, rolePasswords: passwords, log: () => undefined });
  } finally {
    await admin.end();
  }
}
