import { createLogger, type Logger } from '@steward/process';
import { createTestDatabase } from '@steward/testing';
import type { Database, DatabaseOptions } from '../create-database.ts';
import type { AppRole } from '../roles.ts';
import { connectTestDatabase } from './connect-test-database.ts';

export interface Clone {
  /** Connection of the superuser, who is not limited by grants. */
  readonly admin: Database;
  readonly url: string;
  readonly logger: Logger;
  urlForRole(role: AppRole): string;
  /** Connects with the role of an app. Each call returns separate connections, like those of a separate process. */
  connectAs(role: AppRole, more?: Pick<DatabaseOptions, 'sessionSettings'>): Database;
  /** Closes all connections and drops the clone. */
  close(): Promise<void>;
}

/** Creates a database for the tests of one file. */
export async function openClone({ poolSize = 10 } = {}): Promise<Clone> {
  const clone = await createTestDatabase();
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const opened: Database[] = [];
  const connect = (url: string, more: Partial<DatabaseOptions> = {}): Database => {
    const database = connectTestDatabase(url, { poolSize, logger, ...more });
    opened.push(database);
    return database;
  };
  return {
    admin: connect(clone.url),
    url: clone.url,
    logger,
    urlForRole: (role) => clone.urlForRole(role),
    connectAs: (role, more) => connect(clone.urlForRole(role), more),
    async close() {
      try {
        await Promise.all(opened.map((each) => each.close()));
      } finally {
        await clone.drop();
      }
    },
  };
}
