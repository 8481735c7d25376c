import type { Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createTestDatabase } from '@steward/testing';
import { SEARCH_SESSION_SETTINGS } from '../keyword/store/session-settings.store.ts';

/**
 * Opens a cloned database, used as superuser with the session settings of searches; it is dropped when it is closed.
 */
export async function openCorpus(): Promise<Database> {
  const clone = await createTestDatabase();
  const database = connectTestDatabase(clone.url, { poolSize: 2, sessionSettings: SEARCH_SESSION_SETTINGS });
  return {
    ...database,
    async close() {
      await database.close();
      await clone.drop();
    },
  };
}
