import { createLogger } from '@steward/process';
import { createDatabase, type Database, type DatabaseOptions } from '../create-database.ts';

/**
 * Opens database connections of a test. Tests wait longer for a free connection than requests do, because the machine
 * may be busy.
 */
export function connectTestDatabase(url: string, more: Partial<Omit<DatabaseOptions, 'url'>> = {}): Database {
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  return createDatabase({ url, applicationName: 'test', poolSize: 1, checkoutTimeoutMs: 60_000, logger, ...more });
}
