import { createTestDatabase, type TestDatabase } from '@steward/testing';
import type { Database, DatabaseOptions } from '../create-database.ts';
import { connectTestDatabase } from './connect-test-database.ts';

/** A line that parts of this library have logged, recorded instead of being written by a logger. */
export interface LoggedLine {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface OpenDatabase extends Database {
  readonly url: string;
  readonly logged: readonly LoggedLine[];
  /** Opens a further pool, by default on the same database; closed with this one. */
  open(options?: Partial<Omit<DatabaseOptions, 'logger'>>): Database;
  drop(): Promise<void>;
}

/** Creates a database for one test file, with a pool. */
export async function openDatabase(): Promise<OpenDatabase> {
  const clone: TestDatabase = await createTestDatabase();
  const logged: LoggedLine[] = [];
  const write = (message: string, fields: LoggedLine['fields'] = {}): void => void logged.push({ message, fields });
  const logger = { debug: write, info: write, warn: write, error: write } as unknown as DatabaseOptions['logger'];
  const pools: Database[] = [];
  const open: OpenDatabase['open'] = ({ url = clone.url, ...more } = {}) => {
    const database = connectTestDatabase(url, {
      applicationName: 'steward-database-test',
      poolSize: 8,
      logger,
      ...more,
    });
    pools.push(database);
    return database;
  };
  return {
    ...open(),
    url: clone.url,
    logged,
    open,
    async drop() {
      for (const pool of pools) await pool.close();
      await clone.drop();
    },
  };
}
