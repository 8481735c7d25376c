import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import {
  createSpaceGrowth,
  findNearestChunks,
  findOrCreateSpace,
  listSpaces,
  SEARCH_SESSION_SETTINGS,
  VECTOR_INDEX,
  type ChunkFilter,
  type VectorSpace,
} from '@steward/search';
import { connectClient } from '../../src/servers/connect-client.ts';
import { nameId } from '../search/load-corpus.ts';
import { describeVector, type CorpusAccount } from './corpus.ts';

const ROWS_PER_WRITE = 200;
const clock = { now: () => new Date() };
const COLUMNS = `space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, role, provider_name,
  runtime_principal_id, vector`;

/** Opens a store of vectors that works like that of the search context, under its own roles. */
export async function openVectorStore(databaseUrl: string) {
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const connect = (role: string, sessionSettings = {}): Database => {
    const url = new URL(databaseUrl);
    [url.username, url.password] = [role, 'bench'];
    return createDatabase({ url: url.href, applicationName: 'bench-vectors', poolSize: 4, logger, sessionSettings });
  };
  const indexer = connect(APP_ROLES.searchIndexer);
  const gateway = connect(APP_ROLES.apiGateway, SEARCH_SESSION_SETTINGS);
  const owner = await connectClient(databaseUrl);
  const pools = { work: gateway.pool, cancel: indexer.pool };

  return {
    findSpace: (account: CorpusAccount, width: number) => findSpace(indexer, account, width),
    /** Loads vectors into the shared table. */
    async loadShared(space: VectorSpace, vectors: Float32Array): Promise<void> {
      await copyVectors(owner, 'chunk_vector', space, vectors);
      const written = vectors.length / space.width;
      await owner.query('update search.vector_space set written = written + $2 where id = $1', [space.id, written]);
    },
    /**
     * Loads vectors directly into a segment, whose index is built afterwards: single inserts would take hours at this
     * size.
     */
    async loadSegment(space: VectorSpace, vectors: Float32Array): Promise<void> {
      const { links, candidates } = VECTOR_INDEX;
      const made = await owner.query<{ segment: string }>('select search.make_segment($1, $2, $3) as segment', [
        space.id,
        links,
        candidates,
      ]);
      const segment = String(made.rows[0]?.segment);
      const indexes = await owner.query<{ indexname: string; indexdef: string }>(
        `select indexname, indexdef from pg_indexes where schemaname = 'search' and tablename = $1 and indexdef like '% USING hnsw %'`,
        [segment],
      );
      for (const { indexname } of indexes.rows) await owner.query(`drop index search.${indexname}`);
      await copyVectors(owner, segment, space, vectors);
      // Parallel index builds of pgvector before 0.8.2 may write beyond their buffer.
      await owner.query("set maintenance_work_mem = '4GB'; set max_parallel_maintenance_workers = 0");
      for (const { indexdef } of indexes.rows) await owner.query(indexdef);
      await owner.query(`vacuum (analyze) search.${segment}`);
    },
    /** Moves accounts that have outgrown the shared table, as the indexer does. Returns the number of moved vectors. */
    async moveGrown(): Promise<number> {
      const growth = createSpaceGrowth({ db: indexer.db, logger, clock, random: Math.random });
      const growSpaces = growth.beginRun();
      let moved = 0;
      for (let step; (step = await growSpaces()) > 0;) moved += step;
      await owner.query('vacuum (analyze) search.chunk_vector');
      return moved;
    },
    async analyze(space: VectorSpace): Promise<void> {
      const [found] = await listSpaces(indexer.db, space.accountId);
      if (typeof found?.segment === 'string') await owner.query(`vacuum (analyze) search.${found.segment}`);
    },
    async warmUp(): Promise<void> {
      await owner.query('create extension if not exists pg_prewarm');
      await owner.query(
        `select pg_prewarm(c.oid) from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'search' and c.relkind in ('r', 'i') and c.relname ~ '^(segment_|chunk_vector)'`,
      );
    },
    search: async (space: VectorSpace, vector: Float32Array, filter: ChunkFilter, limit: number): Promise<string[]> => {
      const options = { timeoutMs: 60_000, signal: new AbortController().signal };
      const found = await findNearestChunks(pools, { space, vector, filter, limit }, options);
      return found.map(({ chunkId }) => chunkId);
    },
    async close() {
      await Promise.all([owner.end(), gateway.close(), indexer.close()]);
    },
  };
}

function findSpace({ db }: Database, account: CorpusAccount, width: number): Promise<VectorSpace> {
  const key = { accountId: nameId(account.name), provider: 'bench', baseUrl: 'bench', modelIdentifier: 'bench', width };
  return transact({ db }, (trx) => findOrCreateSpace(trx, key));
}

async function copyVectors(client: pg.Client, table: string, space: VectorSpace, vectors: Float32Array): Promise<void> {
  const { width } = space;
  const count = vectors.length / width;
  const stream = client.query(copyFrom(`copy search.${table} (${COLUMNS}) from stdin`)) as Writable;
  let lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const row = describeVector(index, count);
    const at = row.occurredAt.toISOString();
    // Five digits exceed the precision with which a half float stores such values, and are written twice as fast as all
    // digits.
    const values = Array.from(
      vectors.subarray(index * width, (index + 1) * width),
      (value) => `${Math.round(value * 1e5)}e-5`,
    ).join(',');
    lines.push(
      `${space.id}\t${row.chunkId}\t${row.sessionId}\t${at}\t${at}\t${row.sourceKind}\t${row.role}\t${row.providerName}\t${row.runtimePrincipalId}\t[${values}]\n`,
    );
    if (lines.length < ROWS_PER_WRITE && index < count - 1) continue;
    if (!stream.write(lines.join(''))) await once(stream, 'drain');
    lines = [];
  }
  stream.end();
  await once(stream, 'finish');
}
