import { randomBytes } from 'node:crypto';
import { APP_ROLES } from '@steward/database';
import type { SuiteDatabase } from './start-suite.ts';

/** Describes a database of the test in the format of the suite, with a new password for every role. */
export function describeOwnDatabase(url: URL): SuiteDatabase {
  const rolePasswords = Object.fromEntries(
    Object.values(APP_ROLES).map((role) => [role, randomBytes(18).toString('base64url')]),
  );
  const urlForRole = (role: string): string =>
    Object.assign(new URL(url), { username: role, password: rolePasswords[role] ?? '' }).href;
  return { url: url.href, urlForRole, rolePasswords, drop: () => Promise.resolve() };
}
