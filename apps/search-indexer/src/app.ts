import type { Consumption } from '@steward/broker';
import { createBackgroundTask, loadSettings, systemClock, type Component, type RunnableApp } from '@steward/runtime';
import { assembleWorker, connectService } from '@steward/service';
import { deleteExpiredChunks, flushPendingChunks, searchMigrations } from '@steward/slice-search';
import { searchIndexerSettings } from './config.ts';
import { createChunkCounter } from './count-chunks.ts';

const CONCURRENCY = 32;
const RETENTION_SECONDS = 3600;
const RETENTION_BATCH = 1000;

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
  const expired = metrics.counter('steward_search_expired_chunks_total', 'Chunks that left the corpus by their age.');
  const expiry = createBackgroundTask({
    name: 'corpus retention',
    everySeconds: RETENTION_SECONDS,
    logger,
    run: async (signal) => {
      const before = new Date(systemClock.now().getTime() - settings.retentionDays * 86_400_000);
      const chunks = await deleteExpiredChunks(database.db, { before, batchSize: RETENTION_BATCH, signal });
      expired.inc(chunks);
      if (chunks > 0) logger.info('search.chunks_expired', { chunks });
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
    components: [flush, ...(settings.retentionDays === 0 ? [] : [expiry]), consumer],
    activity: chunks.readActivity,
  });
}
