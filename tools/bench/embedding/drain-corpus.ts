import { createSecretBox, deriveKey, KEY_PURPOSES, newId } from '@steward/crypto';
import { APP_ROLES, createDatabase, transact } from '@steward/database';
import { createLogger } from '@steward/process';
import { readEmbeddingState, saveEmbeddingSetting } from '@steward/search';
import { createTestDatabase, eventually, startTestBroker } from '@steward/testing';
import type pg from 'pg';
import { startAppProcess } from '../start-app-process.ts';
import { readCpuMs, readFamilyCpuMs } from '../read-cpu.ts';
import { readClockMs } from '../statistics.ts';
import type { EmbeddingBenchOptions } from './options.ts';
import { makeText } from './worker-messages.ts';

const SECRET_KEY = 'a-secret-key-for-benches-only-0123456789';
const TIMEOUT_MS = 300_000;
const LOOK_EVERY_MS = 50;

export interface Drained {
  /** Time when the last vector was stored, in milliseconds since 1970. */
  readonly storedAt: number;
  /** CPU time of the indexer, including that of its start. */
  readonly indexerCpuMs: number;
  readonly postgresCpuMs: number;
}

/** Embeds an account whose chunks are all pending, with one indexer as shipped. */
export async function drainCorpus(
  baseUrl: string,
  options: EmbeddingBenchOptions,
  postgresPid: number,
): Promise<Drained> {
  const [database, broker] = [await createTestDatabase(), await startTestBroker({ open: true })];
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const admin = createDatabase({ url: database.url, applicationName: 'bench', poolSize: 2, logger });
  try {
    const accountId = newId();
    await insertChunks(admin.pool, accountId, options.chunks);
    const { origin } = new URL(baseUrl);
    const patch = { isEnabled: true, scope: 'full', modelIdentifier: 'bench', baseUrl, dailyCapUsd: 1000 };
    await transact({ db: admin.db }, async (trx) => {
      const input = { accountId, patch, insecureOrigins: [origin], now: new Date() };
      const saved = await saveEmbeddingSetting(trx, input, createSecretBox(SECRET_KEY, KEY_PURPOSES.embedding));
      if (saved.kind === 'refused') throw new Error(`the setting was refused: ${saved.code}`);
    });
    const postgresBefore = readFamilyCpuMs(postgresPid);
    const app = await startAppProcess('search-indexer', {
      DATABASE_URL: database.urlForRole(APP_ROLES.searchIndexer),
      NATS_URL: broker.url,
      EMBEDDING_SECRET_KEY: deriveKey(SECRET_KEY, KEY_PURPOSES.embedding),
      SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: origin,
      SESSION_EMBEDDING_PRICE_PER_MTOK_USD: '{"default": 0.02}',
      SESSION_EMBEDDING_CONCURRENCY: String(options.concurrency),
      SESSION_EMBEDDING_BATCH_SIZE: String(options.batchSize),
    });
    try {
      await eventually(() => isDrained(admin.pool, options.chunks), {
        timeoutMs: TIMEOUT_MS,
        intervalMs: LOOK_EVERY_MS,
      });
      const storedAt = readClockMs();
      const cpu = { indexerCpuMs: readCpuMs(app.pid), postgresCpuMs: readFamilyCpuMs(postgresPid) - postgresBefore };
      const { corpus } = await readEmbeddingState(admin.db, { accountId, now: new Date() });
      if (corpus.embedded !== options.chunks) throw new Error(`${corpus.embedded} of ${options.chunks} embedded`);
      return { storedAt, ...cpu };
    } finally {
      await app.stop();
    }
  } finally {
    await admin.close();
    await Promise.all([broker.stop(), database.drop()]);
  }
}

/**
 * Returns true if all chunks are embedded. The progress is stored in a column of one row, so that reading it does not
 * slow down the indexer.
 */
async function isDrained(pool: pg.Pool, chunks: number): Promise<boolean> {
  const { rows } = await pool.query<{ written: number | null }>(
    'select sum(written)::int as written from search.vector_space',
  );
  return (rows[0]?.written ?? 0) >= chunks;
}

async function insertChunks(pool: pg.Pool, accountId: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  await pool.query(
    `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
       indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
     select $1, id, id, 'transcript_message', id::text, 0, 1, now(), now(), text, '\\x00', 'clear', 0, length(text), false
     from unnest($2::uuid[], $3::text[]) as new (id, text)`,
    [accountId, numbers.map(() => newId()), numbers.map(makeText)],
  );
  await pool.query('select search.flush_pending_chunks()');
  await pool.query('vacuum analyze search.chunk');
}
