import { APP_ROLES, createDatabase, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import type { TestGateway } from './start-gateway.ts';

/**
 * Connections as the owner of the database and as the sweeper, which carries out what the gateway was asked for. Called before the
 * gateway is set up: they are closed before its database is dropped.
 */
export function useSweeperRole(gateway: () => TestGateway) {
  const opened: Database[] = [];
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const connect = (url: string): Database => {
    const database = createDatabase({ url, applicationName: 'test', poolSize: 2, checkoutTimeoutMs: 60_000, logger });
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
