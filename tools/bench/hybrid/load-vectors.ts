import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectClient } from '../../src/servers/connect-client.ts';
import type { MakeVector } from './vector-maker.ts';

export interface LoadOptions {
  /** URL of the database, with a role that owns the tables. */
  readonly databaseUrl: string;
  /** Id of the account whose vectors have a separate table, as is usual for a corpus of its size. */
  readonly largeAccountId: string;
  readonly width: number;
  readonly model: string;
  readonly makeVector: MakeVector;
  readonly progress: (line: string) => void;
}

const ROWS_PER_READ = 2000;
const COLUMNS =
  'space_id, chunk_id, runtime_session_id, occurred_at, written_at, api_key_id, flow_id, source_kind, role, vector';

interface ChunkRow {
  readonly space_id: string;
  readonly id: string;
  readonly runtime_session_id: string;
  readonly occurred_at: string;
  readonly source_kind: string;
  readonly account_id: string;
}

/** Loads a vector for every chunk through COPY; the index of the large space is built when its table is filled. */
export async function loadVectors(options: LoadOptions): Promise<void> {
  const { databaseUrl, largeAccountId, width, model, progress } = options;
  const client = await connectClient(databaseUrl);
  try {
    // The statement removes vectors that an earlier run stored.
    await client.query('truncate search.chunk_vector; update search.vector_space set retired_at = now()');
    await client.query('select search.drop_space(id) from search.vector_space');
    await client.query(
      `insert into search.vector_space (id, account_id, provider, base_url, model_identifier, width, written, created_at)
       select gen_random_uuid(), account_id, 'generic_compatible', '', $1, $2, count(*), now()
       from search.chunk group by account_id`,
      [model, width],
    );
    const made = await client.query<{ segment: string }>(
      'select search.make_segment(id, 16, 64) as segment from search.vector_space where account_id = $1',
      [largeAccountId],
    );
    const segment = made.rows[0]?.segment ?? 'chunk_vector';
    const indexes = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where schemaname = 'search' and tablename = $1 and indexdef not like '%UNIQUE%'`,
      [segment],
    );
    for (const { name } of indexes.rows) await client.query(`drop index search.${name}`);
    for (const [table, isLarge] of [
      [segment, true],
      ['chunk_vector', false],
    ] as const) {
      await copyVectors(client, options, {
        table,
        condition: `account_id ${isLarge ? '=' : '<>'} '${largeAccountId}'`,
      });
    }
    await client.query("set maintenance_work_mem = '3GB'; set max_parallel_maintenance_workers = 2");
    for (const { name, definition } of indexes.rows) {
      progress(`building ${name}`);
      await client.query(definition);
    }
    await client.query(`vacuum (analyze) search.${segment}`);
    await client.query('vacuum (analyze) search.chunk_vector');
  } finally {
    await client.end();
  }
}

/** Copies the vectors. Reads the chunks by id on a separate connection while it writes. */
async function copyVectors(
  writer: pg.Client,
  { databaseUrl, makeVector, progress }: LoadOptions,
  target: { readonly table: string; readonly condition: string },
): Promise<void> {
  const reader = await connectClient(databaseUrl);
  try {
    await reader.query(`begin; declare chunks no scroll cursor for
      select space.id as space_id, chunk.id, runtime_session_id, occurred_at::text, source_kind, chunk.account_id
      from search.chunk join search.vector_space space using (account_id) where chunk.${target.condition}`);
    const stream = writer.query(copyFrom(`copy search.${target.table} (${COLUMNS}) from stdin`)) as Writable;
    for (let written = 0; ;) {
      const { rows } = await reader.query<ChunkRow>(`fetch ${ROWS_PER_READ} from chunks`);
      if (rows.length === 0) break;
      const lines = rows.map(
        (row) =>
          `${row.space_id}\t${row.id}\t${row.runtime_session_id}\t${row.occurred_at}\t${row.occurred_at}\t\\N\t\\N\t${row.source_kind}\t\\N\t${writeVector(makeVector(row.id, row.runtime_session_id))}\n`,
      );
      if (!stream.write(lines.join(''))) await once(stream, 'drain');
      written += rows.length;
      if (written % 100_000 === 0) progress(`${written} vectors into ${target.table}`);
    }
    stream.end();
    await once(stream, 'finish');
  } finally {
    await reader.end();
  }
}

function writeVector(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(5)).join(',')}]`;
}
