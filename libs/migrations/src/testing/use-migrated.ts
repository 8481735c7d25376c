import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@steward/testing';

/** Provides a test file or a describe block with a migrated database, and a connection of its owner. */
export function useMigrated() {
  let database: TestDatabase;
  let admin: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });
  return {
    get database(): TestDatabase {
      return database;
    },
    get admin(): pg.Client {
      return admin;
    },
  };
}
