import { createLogger, type Logger } from '@steward/process';
import { createTestDatabase } from '@steward/testing';
import type { Database, DatabaseOptions } from '../create-database.ts';
import type { AppRole } from '../roles.ts';
import { connectTestDatabase } from './connect-test-database.ts';

export interface Clone {
  /** As the superuser, who sees behind the grants. */
  readonly admin: Database;
  readonly url: string;
  readonly logger: Logger;
  urlForRole(role: AppRole): string;
  /** As an app sees it: under its own role. Each call is a process of its own, as it were. */
  connectAs(role: AppRole, more?: Pick<DatabaseOptions, 'sessionSettings'>): Database;
  /** Ends what was connected, and drops the clone. */
  close(): Promise<void>;
}

/** A database for the tests of one file. */
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
