import { connectBroker, createBrokerHealthCheck } from '@steward/broker';
import { assertSchemaCurrent, createDatabase } from '@steward/database';
import {
  createBackgroundTask,
  createHealthServer,
  createLifecycle,
  createLogger,
  createMetrics,
  loadSettings,
  maskSettings,
  type Component,
  type HealthCheck,
  type RunnableApp,
} from '@steward/runtime';
import { flushPendingChunks, searchMigrations } from '@steward/slice-search';
import { searchIndexerSettings } from './config.ts';
import { createChunkCounter } from './count-chunks.ts';

const CONCURRENCY = 32;

/** All wiring of the indexer process. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(searchIndexerSettings, environment);
  const logger = createLogger({ service: 'search-indexer', level: settings.logLevel, pretty: settings.debug });
  const metrics = createMetrics('search-indexer');
  const database = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-search-indexer',
    poolSize: settings.databasePoolSize,
    logger,
  });
  await database.connect();
  await assertSchemaCurrent(database.db, searchMigrations);
  const broker = await connectBroker({ url: settings.natsUrl, name: 'search-indexer', logger, metrics });
  await broker.ensureStreams();

  const chunks = createChunkCounter(metrics);
  const flushed = metrics.counter(
    'steward_search_pending_pages_flushed_total',
    'Pages moved out of the pending lists.',
  );
  const checks: HealthCheck[] = [
    { name: 'database', essential: true, check: () => database.checkHealth() },
    createBrokerHealthCheck(broker),
  ];
  const healthServer = createHealthServer({
    host: settings.healthHost,
    port: settings.healthPort,
    checks,
    metrics,
    activity: chunks.readActivity,
  });
  let consumption: ReturnType<typeof broker.consume> | undefined;
  const components: Component[] = [
    { name: 'database', stop: () => database.close() },
    { name: 'broker', stop: () => broker.close() },
    healthServer,
    createBackgroundTask({
      name: 'pending list flush',
      everySeconds: settings.flushSeconds,
      logger,
      run: async () => {
        const pages = await flushPendingChunks(database.db);
        flushed.inc(pages);
        if (pages > 0) logger.debug('search.pending_flushed', { pages });
      },
    }),
    {
      name: 'chunk consumer',
      start() {
        consumption = broker.consume(
          'chunk-written',
          (message) => {
            chunks.count(message);
            return Promise.resolve();
          },
          { concurrency: CONCURRENCY },
        );
      },
      async stop() {
        await consumption?.stop(2000);
      },
    },
  ];
  return {
    logger,
    lifecycle: createLifecycle(components, { logger, stopDeadlineSeconds: settings.stopDeadlineSeconds }),
    describe: () => ({ health_port: healthServer.port(), settings: maskSettings(searchIndexerSettings, settings) }),
  };
}
