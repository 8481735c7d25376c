import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readTestEnvironment } from './test-environment.ts';

export interface TestDatabase {
  /** Superuser URL of this database. */
  readonly url: string;
  /**
   * Returns a URL that logs in with the role of one app, so that a test also proves the grants.
   * @throws for a role that does not exist in the run
   */
  urlForRole(role: string): string;
  drop(): Promise<void>;
}

/** Creates a new, fully migrated database for one test file: a clone of the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template, rolePasswords } = readTestEnvironment();
  const name = `steward_test_${randomBytes(8).toString('hex')}`;
  // Copying the files costs a third of copying their blocks through the write-ahead log.
  await runAsAdmin(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    urlForRole: (role) => logInAs(role, url.href, rolePasswords),
    drop: () => dropDatabase(adminUrl, name),
  };
}

/**
 * Drops a database and ends its connections. A separate connection is opened for it: in the meantime, connections that
 * are closing end by themselves, which would otherwise fail with an error that nobody handles.
 */
async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`).finally(() => client.end());
}

/**
 * Returns the URL of a database with the login of a role.
 * @throws for a role that does not exist in the run
 */
export function logInAs(role: string, url: string, rolePasswords: Readonly<Record<string, string>>): string {
  const password = rolePasswords[role];
  if (password === undefined) throw new Error(`the test server has no role ${role}`);
  const own = new URL(url);
  own.username = role;
  own.password = encodeURIComponent(password);
  return own.href;
}

/**
 * Executes a statement as the administrator. Two simultaneous clones block each other inside Postgres; if the template
 * is in use, the statement is retried.
 */
async function runAsAdmin(adminUrl: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await findAdmin(adminUrl).query(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt >= 20) throw error;
    }
  }
}

/** Connections of administrators, by URL. */
const admins = new Map<string, pg.Pool>();

/** One connection for all files that this process runs, because each costs as much as half of a clone. */
function findAdmin(url: string): pg.Pool {
  const known = admins.get(url);
  if (known !== undefined) return known;
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // At the end of the run, the server is stopped while this connection is idle.
  pool.on('error', () => undefined);
  admins.set(url, pool);
  return pool;
}
