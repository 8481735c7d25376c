import { randomBytes } from 'node:crypto';
import { APP_ROLES } from '@steward/database';
import { migrateAll } from '@steward/migrations';
import type { TestEnvironment } from '@steward/testing';
import { connectClient } from './connect-client.ts';

/** Creates a migrated database that is cloned for each test file or run, and the passwords of the apps' roles. */
export async function createTemplate(adminUrl: string): Promise<TestEnvironment> {
  const template = `steward_template_${randomBytes(6).toString('hex')}`;
  const rolePasswords = Object.fromEntries(
    Object.values(APP_ROLES).map((role) => [role, randomBytes(18).toString('base64url')]),
  );
  const admin = await connectClient(adminUrl);
  try {
    await admin.query(`create database ${template}`);
    const url = new URL(adminUrl);
    url.pathname = `/${template}`;
    await migrateAll({ databaseUrl: url.href, rolePasswords, log: () => undefined });
  } finally {
    await admin.end();
  }
  return { adminUrl, template, rolePasswords };
}
