import { createLogger } from '@steward/process';
import { createDatabase, type Database, type DatabaseOptions } from '../create-database.ts';

/** Connections of a test. On a busy machine they wait longer for a free one than requests do. */
export function connectTestDatabase(url: string, more: Partial<Omit<DatabaseOptions, 'url'>> = {}): Database {
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  return createDatabase({ url, applicationName: 'test', poolSize: 1, checkoutTimeoutMs: 60_000, logger, ...more });
}
