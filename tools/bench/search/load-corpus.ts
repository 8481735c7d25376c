import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectClient } from '../../src/servers/connect-client.ts';
import { countAccounts, generateCorpus, type CorpusShape } from './corpus.ts';

export interface LoadOptions {
  /** URL of the database, with a role that owns the tables. */
  readonly databaseUrl: string;
  readonly shape: CorpusShape;
  /**
   * Ids of the accounts whose users log in: index 0 is the large account, index 1 a small one. The other accounts exist
   * only as ids.
   */
  readonly accountIds: readonly string[];
  readonly progress: (line: string) => void;
}

const COLUMNS = `account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at, indexed_at,
  content, content_hash, redaction_state, start_offset, end_offset, tail_omitted`;
const ROWS_PER_WRITE = 500;
/** Indexes that are built after the load, which is several times faster and has the same result. */
const DROPPED_FOR_LOAD = ['chunk_tsv_index'];

/** Fills the corpus through COPY, then builds the text index and the statistics of a long-lived database. */
export async function loadCorpus(options: LoadOptions): Promise<void> {
  const client = await connectClient(options.databaseUrl);
  try {
    const definitions = await readIndexDefinitions(client);
    for (const name of DROPPED_FOR_LOAD) await client.query(`drop index search.${name}`);
    await copyChunks(client, options);
    await client.query("set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2");
    for (const definition of definitions) {
      options.progress(`building ${/index (\S+)/i.exec(definition)?.[1] ?? 'an index'}`);
      await client.query(definition);
    }
    await insertSessions(client);
    options.progress('vacuum and statistics');
    await client.query('vacuum (analyze) search.chunk');
    await client.query('vacuum (analyze) gateway.runtime_session');
  } finally {
    await client.end();
  }
}

async function readIndexDefinitions(client: pg.Client): Promise<string[]> {
  const found = await client.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where schemaname = 'search' and indexname = any($1)`,
    [DROPPED_FOR_LOAD],
  );
  return found.rows.map((row) => row.definition.replace(' ON ONLY ', ' ON '));
}

async function copyChunks(client: pg.Client, options: LoadOptions): Promise<void> {
  const { shape, progress } = options;
  const accounts = Array.from(
    { length: countAccounts(shape) },
    (_value, index) => options.accountIds[index] ?? nameId(`account ${index}`),
  );
  const stream = client.query(copyFrom(`copy search.chunk (${COLUMNS}) from stdin`)) as Writable;
  const hash = `\\\\x${'00'.repeat(32)}`;
  let lines: string[] = [];
  let written = 0;
  const startedAt = performance.now();
  for (const row of generateCorpus(shape)) {
    const account = accounts[row.account] ?? '';
    const id = timeOrderedId(row.occurredAt, written);
    const at = row.occurredAt.toISOString();
    lines.push(
      `${account}\t${id}\t${nameId(`${account}/${row.session}`)}\ttranscript_message\t${id}\t0\t1\t${at}\t${at}\t${row.content}\t${hash}\tclear\t0\t${row.content.length}\tf\n`,
    );
    written += 1;
    if (lines.length < ROWS_PER_WRITE && written < shape.chunks) continue;
    if (!stream.write(lines.join(''))) await once(stream, 'drain');
    lines = [];
    if (written % 250_000 === 0)
      progress(`${written} chunks (${Math.round(written / ((performance.now() - startedAt) / 1000))} a second)`);
  }
  stream.end();
  await once(stream, 'finish');
}

/** Inserts the sessions of the chunks as the gateway would. */
async function insertSessions(client: pg.Client): Promise<void> {
  await client.query(`
    insert into gateway.runtime_session (id, account_id, session_source_type, session_source_id, title, title_origin, started_at,
      last_activity_at, last_seen_at, created_at, updated_at)
    select runtime_session_id, account_id, 'bench', runtime_session_id::text, 'a generated session', 'client', min(occurred_at),
      max(occurred_at), max(occurred_at), min(occurred_at), max(occurred_at)
    from search.chunk group by account_id, runtime_session_id
    on conflict do nothing
  `);
}

/** Returns an id that is the same for the same name in every run. */
export function nameId(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns a version 7 UUID of a given time, so that index pages fill in order, as with live ids. */
function timeOrderedId(at: Date, counter: number): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const tail = counter.toString(16).padStart(15, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail.slice(3)}`;
}
