import { newId } from '@steward/crypto';
import type { Database } from '@steward/database';
import { sealAudits } from '@steward/audit';
import { runWithCleanup } from '../../src/servers/run-with-cleanup.ts';
import { openBenchDatabase } from '../open-bench-database.ts';
import { printTable } from '../print-table.ts';
import { percentile, readClockMs } from '../statistics.ts';
import { comparePruning } from './compare-pruning.ts';
import { compareExecutionRemoval } from './compare-execution-removal.ts';
import { compareUsageRemoval } from './compare-usage-removal.ts';
import { GROWING_KINDS, type GrowingKind } from './growing-kinds.ts';
import type { GrowthBenchOptions } from './options.ts';

const ROUNDS = 50;
const MEBIBYTE = 1024 * 1024;
const MILLION = 1_000_000;
/** Number of dimensions that the vectors of common models have. */
const WIDTH = 1024;
/** Maximum number of vectors, for which an index can be built within minutes. */
const MOST_VECTORS = 5000;

/** Runs `npm run bench -- growth`. */
export async function runBench({ parts, rows, pruned }: GrowthBenchOptions): Promise<void> {
  await runWithCleanup(async (stops) => {
    const { database } = await openBenchDatabase(stops, 'bench-growth');
    const accountId = newId();
    const small = newId();
    const sizes: (string | number)[][] = [];
    const lists: (string | number)[][] = [];
    for (const kind of GROWING_KINDS.filter(({ name }) => parts.has(name))) {
      await load(database, kind, small, rows / 10);
      const few = await measureList(database, kind, small);
      const before = await readSizes(database, kind.tables);
      await load(database, kind, accountId, rows);
      const after = await readSizes(database, kind.tables);
      const many = await measureList(database, kind, accountId);
      const grown = { heap: after.heap - before.heap, index: after.index - before.index };
      sizes.push([kind.name, kind.unit, perMillion(grown.heap, rows), perMillion(grown.index, rows)]);
      if (few !== undefined && many !== undefined) lists.push([kind.name, few.pages, few.p50, many.pages, many.p50]);
    }
    if (parts.has('vectors')) sizes.push(await measureVectors(database, accountId, Math.min(rows, MOST_VECTORS)));
    console.log(`\n  GiB for a million, from ${rows} rows\n`);
    printTable(['kind', 'one is', 'rows', 'indexes'], sizes);
    console.log(
      `\n  newest page of 50, of ${rows / 10} and of ${rows} rows of the account: pages of the database that it reads, and ms\n`,
    );
    printTable(['list', 'pages', 'p50', 'pages', 'p50'], lists);
    if (parts.has('pruning')) await comparePruning(database, pruned);
    if (parts.has('execution removal')) await compareExecutionRemoval(database, pruned);
    if (parts.has('usage removal')) await compareUsageRemoval(database, pruned);
  });
}

async function load(database: Database, kind: GrowingKind, accountId: string, rows: number): Promise<void> {
  await database.pool.query(kind.insert, [accountId, rows]);
  if (kind.name === 'audit') await sealAudits(database.db, { now: new Date(), accountId });
  await database.pool.query(`vacuum (analyze) ${kind.tables.join(', ')}`);
}

interface Sizes {
  readonly heap: number;
  readonly index: number;
}

/** Reads the bytes of the tables with their out-of-line values and partitions, and the bytes of their indexes. */
async function readSizes({ pool }: Database, tables: readonly string[]): Promise<Sizes> {
  const { rows } = await pool.query<Sizes>(
    `select sum(pg_table_size(relid))::float8 as heap, sum(pg_indexes_size(relid))::float8 as index
     from unnest($1::regclass[]) root, lateral (select root as relid union select relid from pg_partition_tree(root)) tree`,
    [tables],
  );
  return rows[0] ?? { heap: Number.NaN, index: Number.NaN };
}

const perMillion = (bytes: number, rows: number): number => ((bytes / rows) * MILLION) / MEBIBYTE / 1024;

/** Counts the pages that a list reads: their number does not depend on the load on the machine, but durations do. */
async function measureList(
  { db, pool }: Database,
  { list }: GrowingKind,
  accountId: string,
): Promise<{ readonly p50: number; readonly pages: number } | undefined> {
  if (list === undefined) return undefined;
  const taken: number[] = [];
  await list(db, accountId);
  const before = await readPages(pool);
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = readClockMs();
    await list(db, accountId);
    taken.push(readClockMs() - start);
  }
  const pages = ((await readPages(pool)) - before) / ROUNDS;
  return { p50: percentile(taken, 0.5), pages };
}

/**
 * Reads the number of pages read so far. Its statements run one at a time, so that the pool uses a single connection,
 * whose counts are reported at once.
 */
async function readPages(pool: Database['pool']): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  await pool.query('select 1');
  const { rows } = await pool.query<{ pages: number }>(
    'select (blks_hit + blks_read)::float8 as pages from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.pages ?? Number.NaN;
}

/** Measures vectors of chunks, stored as in a large account: in a separate segment with an index. */
async function measureVectors({ pool }: Database, accountId: string, rows: number): Promise<(string | number)[]> {
  const { rows: spaces } = await pool.query<{ id: string }>(
    `insert into search.vector_space (id, account_id, provider, base_url, model_identifier, width, written, created_at)
     values (gen_random_uuid(), $1, 'generic_compatible', '', 'bench', ${WIDTH}, $2, now()) returning id`,
    [accountId, rows],
  );
  const { rows: made } = await pool.query<{ segment: string }>('select search.make_segment($1, 16, 64) as segment', [
    spaces[0]?.id,
  ]);
  const table = `search.${made[0]?.segment ?? 'chunk_vector'}`;
  await pool.query(
    `insert into ${table} (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
     select $1, id, runtime_session_id, occurred_at, occurred_at, source_kind,
       (select array_agg(random() - 0.5) from generate_series(1, ${WIDTH}) where id is not null)::vector::halfvec
     from search.chunk where account_id = $2 limit $3`,
    [spaces[0]?.id, accountId, rows],
  );
  const { heap, index } = await readSizes({ pool } as Database, [table]);
  return ['vectors', `the vector of a chunk, ${WIDTH} wide`, perMillion(heap, rows), perMillion(index, rows)];
}
