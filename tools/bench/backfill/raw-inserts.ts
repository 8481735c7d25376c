import { newId } from '@steward/crypto';
import pg from 'pg';

const COLUMNS = `source_kind, source_id, chunk_index, chunk_count, occurred_at, indexed_at, role, content, content_hash,
  redaction_state, start_offset, end_offset, tail_omitted, mask_version`;
const ROWS_PER_STATEMENT = 1000;

/**
 * Chunks a second when SQL alone inserts them: those of an account once more, as another account's, from a table of the
 * database into the corpus. No text is read, masked, cut or sent, nobody is told: the least any writer has to do.
 */
export async function measureRawInserts(databaseUrl: string, accountId: string, chunks: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `create temporary table copied as
       select row_number() over () as place, id, runtime_session_id, ${COLUMNS} from search.chunk where account_id = $1 limit $2`,
      [accountId, chunks],
    );
    await client.query('create index on copied (place)');
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from copied');
    const count = rows[0]?.count ?? 0;
    const other = newId();
    const startedAt = performance.now();
    for (let place = 0; place < count; place += ROWS_PER_STATEMENT) {
      await client.query(
        `insert into search.chunk (account_id, id, runtime_session_id, ${COLUMNS})
         select $1, id, runtime_session_id, ${COLUMNS} from copied where place > $2 and place <= $3`,
        [other, place, place + ROWS_PER_STATEMENT],
      );
    }
    const seconds = (performance.now() - startedAt) / 1000;
    await client.query('delete from search.chunk where account_id = $1', [other]);
    return count / seconds;
  } finally {
    await client.end();
  }
}
