import { connectBroker } from '@steward/broker';
import type { ChunkWritten } from '@steward/contracts';
import { deriveKey, KEY_PURPOSES, newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { createLogger, createMetrics, type RunnableApp } from '@steward/process';
import { askJetStream, eventually, startTestBroker, useOpened } from '@steward/testing';
import { buildApp } from '../app.ts';

export const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';

interface StreamInfo {
  readonly state: { readonly messages: number; readonly last_seq: number };
}

async function openServers() {
  const [database, server] = await Promise.all([openClone({ poolSize: 4 }), startTestBroker()]);
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const publisher = await connectBroker({
    url: server.urlFor('api-gateway'),
    name: 'api-gateway',
    app: 'api-gateway',
    logger,
    metrics: createMetrics('test'),
  });
  await publisher.ensureStreams();
  return {
    database,
    admin: database.admin,
    server,
    publisher,
    async close() {
      await publisher.close();
      await Promise.all([database.close(), server.stop()]);
    },
  };
}

/**
 * Starts a database and a broker, a publisher like the gateway, and the process as deployed; for the tests of one file.
 */
export function useIndexer() {
  const opened = useOpened(openServers);
  const running = new Set<RunnableApp>();

  afterEach(async () => {
    await Promise.all([...running].map((app) => app.lifecycle.stop()));
    running.clear();
  });

  const buildEnvironment = (change: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    DATABASE_URL: opened().database.urlForRole(APP_ROLES.searchIndexer),
    NATS_URL: opened().server.urlFor('search-indexer'),
    EMBEDDING_SECRET_KEY: deriveKey(SECRET_KEY, KEY_PURPOSES.embedding),
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'error',
    SESSION_SEARCH_FLUSH_SECONDS: '0.5',
    ...change,
  });
  /** Starts the process as deployed, except for its port: with its role and its broker user. */
  async function startIndexer(change: Readonly<Record<string, string>> = {}): Promise<RunnableApp> {
    const app = await buildApp(buildEnvironment(change));
    running.add(app);
    await app.lifecycle.start();
    return app;
  }
  async function stop(app: RunnableApp): Promise<void> {
    running.delete(app);
    await app.lifecycle.stop();
  }

  const fetchFrom = (app: RunnableApp, path: string) =>
    fetch(`http://127.0.0.1:${String(app.describe()['health_port'])}${path}`);
  async function countSeen(app: RunnableApp): Promise<number> {
    const answer = await fetchFrom(app, '/api/v1/health');
    return ((await answer.json()) as { activity: { sources_seen: number } }).activity.sources_seen;
  }
  const untilSeen = (apps: readonly RunnableApp[], count: number) =>
    eventually(async () => {
      const seen = await Promise.all(apps.map(countSeen));
      expect(seen.reduce((sum, each) => sum + each, 0)).toBe(count);
      return true;
    });

  let written = 0;
  function describeChunk(change: Partial<ChunkWritten> = {}): ChunkWritten {
    written += 1;
    return {
      account_id: newId(),
      runtime_session_id: newId(),
      source_kind: 'tool_call',
      source_id: newId(),
      content_hash: String(written).padStart(64, '0'),
      chunk_count: 1,
      ...change,
    };
  }
  const announce = (message = describeChunk()) => opened().publisher.publish('chunk-written', message);

  async function countMessages(stream: string): Promise<number> {
    const { state } = await askJetStream<StreamInfo>(opened().server.url, `STREAM.INFO.${stream}`);
    return state.messages;
  }
  const untilNothingWaits = () => eventually(async () => (await countMessages('STEWARD_SEARCH')) === 0);

  /** Inserts a chunk as a writer does. */
  async function insertChunk(occurredAt: Date, accountId = newId()): Promise<string> {
    await insertTexts(accountId, ['words'], { occurredAt });
    return accountId;
  }
  /** Inserts one chunk per text, without messages. Returns their ids. */
  async function insertTexts(
    accountId: string,
    texts: readonly string[],
    more: { readonly occurredAt?: Date; readonly sourceKind?: string; readonly redactionState?: string } = {},
  ): Promise<string[]> {
    const { occurredAt = new Date(), sourceKind = 'tool_call', redactionState = 'clear' } = more;
    const ids = texts.map(() => newId());
    await opened().admin.pool.query(
      `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
         indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
       select $1, id, id, $2, id::text, 0, 1, $3, now(), text, '\\x00', $4, 0, 5, false
       from unnest($5::uuid[], $6::text[]) as new (id, text)`,
      [accountId, sourceKind, occurredAt, redactionState, ids, [...texts]],
    );
    return ids;
  }
  async function countChunks(accountId: string): Promise<number> {
    const { rows } = await opened().admin.pool.query(
      'select count(*) as count from search.chunk where account_id = $1',
      [accountId],
    );
    return (rows[0] as { count: number }).count;
  }

  return {
    database: () => opened().database,
    admin: () => opened().admin,
    server: () => opened().server,
    buildEnvironment,
    startIndexer,
    stop,
    fetchFrom,
    countSeen,
    untilSeen,
    describeChunk,
    announce,
    countMessages,
    untilNothingWaits,
    insertChunk,
    insertTexts,
    countChunks,
  };
}
