import { createDatabase, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import { createTestDatabase } from '@steward/testing';
import { SEARCH_SESSION_SETTINGS } from '../keyword/store/session-settings.store.ts';

/** A cloned database as the superuser, with the settings that searches run under; dropped when it is closed. */
export async function openCorpus(): Promise<Database> {
  const clone = await createTestDatabase();
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const options = { url: clone.url, applicationName: 'test', poolSize: 2, checkoutTimeoutMs: 60_000, logger };
  const database = createDatabase({ ...options, sessionSettings: SEARCH_SESSION_SETTINGS });
  return {
    ...database,
    async close() {
      await database.close();
      await clone.drop();
    },
  };
}
