import { createDatabase, type Database } from '@steward/database';
import { createLogger, type Logger } from '@steward/process';
import { createTestDatabase } from '@steward/testing';
import { startThrowawayPostgres } from '../src/servers/start-throwaway-postgres.ts';

/** Opens a migrated database on a separate server, for a bench that runs in this process; `stops` ends both. */
export async function openBenchDatabase(
  stops: (() => unknown)[],
  applicationName: string,
): Promise<{ readonly database: Database; readonly logger: Logger }> {
  const postgres = await startThrowawayPostgres();
  stops.push(() => postgres.stop());
  const server = await createTestDatabase();
  stops.push(() => server.drop());
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const database = createDatabase({ url: server.url, applicationName, poolSize: 4, logger });
  stops.push(() => database.close());
  return { database, logger };
}
