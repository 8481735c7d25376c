import { systemClock } from '@steward/async';
import type { Consumption } from '@steward/broker';
import type { ChunkWritten } from '@steward/contracts';
import { createDerivedSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { createBackgroundTask, loadSettings, stopTogether, type Component, type RunnableApp } from '@steward/process';
import { assembleWorker, connectService, type ServiceConnections } from '@steward/service';
import { deleteExpiredChunks, flushPendingChunks, searchMigrations, searchSealedColumns } from '@steward/search';
import { searchIndexerSettings, type SearchIndexerSettings } from './config.ts';
import { createChunkCounter } from './count-chunks.ts';
import { connectEmbedding } from './embedding/connect-embedding.ts';

const CONCURRENCY = 32;
const RETENTION_SECONDS = 3600;
const RETENTION_BATCH = 1000;

/** Builds the indexer process. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(searchIndexerSettings, environment);
  const keys = [settings.embeddingSecretKey, ...settings.previousEmbeddingSecretKeys];
  const secretBox = createDerivedSecretBox(keys);
  const connections = await connectService({
    service: 'search-indexer',
    settings,
    slices: [searchMigrations],
    secrets: keys,
    keys: {
      columns: searchSealedColumns,
      boxes: { [KEY_PURPOSES.embedding]: secretBox },
      variable: 'EMBEDDING_SECRET_KEY',
      isLost: settings.secretKeyLost,
    },
  });
  const { broker, database, logger, metrics } = connections;
  const chunks = createChunkCounter(metrics);
  const embedding = connectEmbedding({ db: database.db, settings, secretBox, logger, metrics });
  let consumption: Consumption | undefined;
  const consumer: Component = {
    name: 'chunk consumer',
    start() {
      // The work queue is in the database, so a message is acknowledged as soon as it is received.
      const handle = (message: ChunkWritten): Promise<void> => {
        chunks.count(message);
        embedding.nudge(message.account_id);
        return Promise.resolve();
      };
      consumption = broker.consume('chunk-written', handle, { concurrency: CONCURRENCY });
    },
    async stop() {
      await consumption?.stop(2000);
    },
  };
  return assembleWorker(connections, {
    shape: searchIndexerSettings,
    settings,
    components: [
      ...embedding.components,
      stopTogether('indexing', [...createUpkeep(connections, settings), ...embedding.work, consumer]),
    ],
    activity: () => ({ ...chunks.readActivity(), ...embedding.readActivity() }),
  });
}

/** Creates the tasks that keep the indexes fast and enforce the age limit of the corpus. */
function createUpkeep(
  { database, logger, metrics }: ServiceConnections,
  { flushSeconds, retentionDays }: SearchIndexerSettings,
): Component[] {
  const flushed = metrics.counter(
    'steward_search_pending_pages_flushed_total',
    'Pages moved from the pending lists into the index.',
  );
  const flush = createBackgroundTask({
    name: 'pending list flush',
    everySeconds: flushSeconds,
    logger,
    run: async () => {
      const pages = await flushPendingChunks(database.db);
      flushed.inc(pages);
      if (pages > 0) logger.debug('search.pending_flushed', { pages });
    },
  });
  const expired = metrics.counter(
    'steward_search_expired_chunks_total',
    'Chunks removed from the search corpus because of their age.',
  );
  const expiry = createBackgroundTask({
    name: 'corpus retention',
    everySeconds: RETENTION_SECONDS,
    logger,
    run: async (signal) => {
      const before = new Date(systemClock.now().getTime() - retentionDays * 86_400_000);
      const chunks = await deleteExpiredChunks(database.db, { before, batchSize: RETENTION_BATCH, signal });
      expired.inc(chunks);
      if (chunks > 0) logger.info('search.chunks_expired', { chunks });
    },
  });
  return retentionDays === 0 ? [flush] : [flush, expiry];
}
