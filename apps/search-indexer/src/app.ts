import type { Consumption } from '@steward/broker';
import { createBackgroundTask, loadSettings, type Component, type RunnableApp } from '@steward/runtime';
import { assembleWorker, connectService } from '@steward/service';
import { flushPendingChunks, searchMigrations } from '@steward/slice-search';
import { searchIndexerSettings } from './config.ts';
import { createChunkCounter } from './count-chunks.ts';

const CONCURRENCY = 32;

/** All wiring of the indexer process. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(searchIndexerSettings, environment);
  const connections = await connectService({ service: 'search-indexer', settings, slices: [searchMigrations] });
  const { broker, database, logger, metrics } = connections;
  const chunks = createChunkCounter(metrics);
  const flushed = metrics.counter(
    'steward_search_pending_pages_flushed_total',
    'Pages moved out of the pending lists.',
  );
  const flush = createBackgroundTask({
    name: 'pending list flush',
    everySeconds: settings.flushSeconds,
    logger,
    run: async () => {
      const pages = await flushPendingChunks(database.db);
      flushed.inc(pages);
      if (pages > 0) logger.debug('search.pending_flushed', { pages });
    },
  });
  let consumption: Consumption | undefined;
  const consumer: Component = {
    name: 'chunk consumer',
    start() {
      const handle = (message: Parameters<typeof chunks.count>[0]): Promise<void> =>
        Promise.resolve(chunks.count(message));
      consumption = broker.consume('chunk-written', handle, { concurrency: CONCURRENCY });
    },
    async stop() {
      await consumption?.stop(2000);
    },
  };
  return assembleWorker(connections, {
    shape: searchIndexerSettings,
    settings,
    components: [flush, consumer],
    activity: chunks.readActivity,
  });
}
