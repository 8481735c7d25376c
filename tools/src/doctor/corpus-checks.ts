import { adviseIf, type Check, type Finding } from './finding.ts';
import { showBytes } from './server-checks.ts';

/**
 * Number of pages above which the check gives advice. A search reads the whole list, which takes about 4 ms per 1,000
 * chunks; a page contains about ten chunks.
 */
const MANY_PENDING_PAGES = 500;

/**
 * Checks the pending lists. This needs the contrib module pgstattuple, which is installed in a transaction that is
 * rolled back.
 */
export const checkPendingLists: Check = async (client) => {
  const topic = 'pending lists of the text index';
  await client.query('begin');
  try {
    await client.query('create extension if not exists pgstattuple');
    const found = await client.query<{ pages: string | null; tuples: string | null }>(
      `select sum(stat.pending_pages) as pages, sum(stat.pending_tuples) as tuples
       from pg_inherits cross join lateral pgstatginindex(inhrelid::regclass) stat
       where inhparent = 'search.chunk_tsv_index'::regclass`,
    );
    const pages = Number(found.rows[0]?.pages ?? 0);
    return [
      {
        topic,
        found: `${pages} pages, ${Number(found.rows[0]?.tuples ?? 0)} entries`,
        ...adviseIf(
          pages > MANY_PENDING_PAGES,
          'every search reads them all: make sure that the search-indexer runs, or lower SESSION_SEARCH_FLUSH_SECONDS',
        ),
      },
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ topic, found: `not known (${reason})`, advice: 'run as a role that may use the module pgstattuple' }];
  } finally {
    await client.query('rollback');
  }
};

const WORTH_STATISTICS = 10_000;

export const checkStatistics: Check = async (client) => {
  // The view is used, because only a superuser may read the underlying table; the view shows the columns that the role
  // may select.
  const found = await client.query<{
    table: string;
    rows: string;
    has_words: boolean | null;
    dead: string;
    live: string;
  }>(
    `select stat.relname as table, class.reltuples::bigint as rows, stat.n_dead_tup as dead, stat.n_live_tup as live,
       case when has_table_privilege(class.oid, 'select') then exists (
         select 1 from pg_stats where schemaname = 'search' and tablename = class.relname and attname = 'tsv') end as has_words
     from pg_stat_user_tables stat join pg_class class on class.oid = stat.relid
     where stat.schemaname = 'search' and stat.relname like 'chunk_p%' order by stat.relname`,
  );
  const rows = found.rows.reduce((sum, row) => sum + Math.max(Number(row.rows), Number(row.live)), 0);
  const blind = found.rows
    .filter((row) => Number(row.live) > WORTH_STATISTICS && row.has_words === false)
    .map((row) => row.table);
  const isHidden = found.rows.some((row) => row.has_words === null);
  const bloated = found.rows
    .filter((row) => Number(row.dead) > WORTH_STATISTICS && Number(row.dead) > Number(row.live) / 4)
    .map((row) => row.table);
  return [
    { topic: 'chunks', found: `about ${rows}` },
    {
      topic: 'statistics of words',
      found: isHidden ? 'not known' : blind.length === 0 ? 'present' : `missing for ${blind.join(', ')}`,
      ...adviseIf(isHidden, 'run as the owner of the tables: this role does not have access to them'),
      ...adviseIf(
        blind.length > 0,
        'run: vacuum (analyze) search.chunk; without statistics the planner can only guess',
      ),
    },
    {
      topic: 'dead rows',
      found: bloated.length === 0 ? 'few' : `more than a quarter in ${bloated.join(', ')}`,
      ...adviseIf(
        bloated.length > 0,
        'make sure that autovacuum is on and no old transaction blocks it; then: vacuum search.chunk',
      ),
    },
  ];
};

const WORTH_MENTIONING_BYTES = 100 * 1_048_576;

export const checkIndexes: Check = async (client) => {
  const found = await client.query<{ name: string; bytes: string; scans: string; valid: boolean; unique: boolean }>(
    `select parent.relname as name, sum(pg_relation_size(stat.indexrelid)) as bytes, sum(stat.idx_scan) as scans,
       bool_and(index.indisvalid) as valid, bool_or(index.indisunique) as unique
     from pg_stat_user_indexes stat
     join pg_index index on index.indexrelid = stat.indexrelid
     join pg_inherits on inhrelid = stat.indexrelid
     join pg_class parent on parent.oid = inhparent
     where stat.schemaname = 'search' group by parent.relname order by sum(pg_relation_size(stat.indexrelid)) desc`,
  );
  return found.rows.map((row): Finding => {
    const isUnused = Number(row.scans) === 0 && !row.unique && Number(row.bytes) > WORTH_MENTIONING_BYTES;
    const advice = !row.valid
      ? `run: reindex index search.${row.name}; a part of it is invalid, and no search uses it`
      : 'not used since the statistics were reset; if that was long ago, the index only slows down writes';
    return {
      topic: `index ${row.name}`,
      found: `${showBytes(Number(row.bytes))}, ${row.scans} scans`,
      ...adviseIf(!row.valid || isUnused, advice),
    };
  });
};

const SHARE_OF_READS_IN_MEMORY = 0.95;
const WORTH_A_SHARE = 100_000;

export const checkCache: Check = async (client) => {
  const found = await client.query<{ read: string | null; hit: string | null }>(
    `select sum(coalesce(heap_blks_read, 0) + coalesce(idx_blks_read, 0) + coalesce(toast_blks_read, 0)) as read,
       sum(coalesce(heap_blks_hit, 0) + coalesce(idx_blks_hit, 0) + coalesce(toast_blks_hit, 0)) as hit
     from pg_statio_user_tables where schemaname = 'search'`,
  );
  const read = Number(found.rows[0]?.read ?? 0);
  const hit = Number(found.rows[0]?.hit ?? 0);
  if (read + hit < WORTH_A_SHARE) return [{ topic: 'reads from memory', found: 'too few reads for a result' }];
  const share = hit / (read + hit);
  return [
    {
      topic: 'reads from memory',
      found: `${(share * 100).toFixed(1)} %`,
      ...adviseIf(share < SHARE_OF_READS_IN_MEMORY, 'give the server more memory, or increase shared_buffers'),
    },
  ];
};
