import { newId } from '@steward/crypto';
import { connectClient } from '../../src/servers/connect-client.ts';

const COLUMNS = `source_kind, source_id, chunk_index, chunk_count, occurred_at, indexed_at, role, content, content_hash,
  redaction_state, start_offset, end_offset, tail_omitted, mask_version`;
const FLUSH = 'select search.flush_pending_chunks()';
const ROWS_PER_STATEMENT = 1000;

/** Rates in chunks per second. */
export interface RawRates {
  readonly inserted: number;
  /** Rate that can be sustained: it includes the time for moving the words from the pending lists into the index. */
  readonly moved: number;
}

/**
 * Measures only SQL: copies chunks of the corpus from a table of the database to another account. No content is read,
 * masked, split or sent, and no message is published: any writer has to do at least this work.
 */
export async function measureRawInserts(databaseUrl: string, chunks: number): Promise<RawRates> {
  const client = await connectClient(databaseUrl);
  try {
    await client.query(
      `create temporary table copied as
       select row_number() over () as place, id, runtime_session_id, ${COLUMNS} from search.chunk limit $1`,
      [chunks],
    );
    await client.query('create index on copied (place)');
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from copied');
    const count = rows[0]?.count ?? 0;
    const other = newId();
    await client.query(FLUSH);
    const startedAt = performance.now();
    for (let place = 0; place < count; place += ROWS_PER_STATEMENT) {
      await client.query(
        `insert into search.chunk (account_id, id, runtime_session_id, ${COLUMNS})
         select $1, id, runtime_session_id, ${COLUMNS} from copied where place > $2 and place <= $3`,
        [other, place, place + ROWS_PER_STATEMENT],
      );
    }
    const inserted = (performance.now() - startedAt) / 1000;
    await client.query(FLUSH);
    const moved = (performance.now() - startedAt) / 1000;
    await client.query('delete from search.chunk where account_id = $1', [other]);
    return { inserted: count / inserted, moved: count / moved };
  } finally {
    await client.end();
  }
}
