import { APP_ROLES, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import type { TestGateway } from './start-gateway.ts';

/**
 * Opens connections with the roles of the database owner and of the sweeper, which carries out deletions requested
 * through the gateway. Must be called before the gateway is set up, so that the connections are closed before its
 * database is dropped.
 */
export function useSweeperRole(gateway: () => TestGateway) {
  const opened: Database[] = [];
  const connect = (url: string): Database => {
    const database = connectTestDatabase(url, { poolSize: 2 });
    opened.push(database);
    return database;
  };
  let admin: Database | undefined;
  let sweeper: Database | undefined;
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
  });
  return {
    admin: () => (admin ??= connect(gateway().database.url)),
    sweeper: () => (sweeper ??= connect(gateway().database.urlForRole(APP_ROLES.backfillSweeper))),
  };
}
