import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { generateCorpus, type CorpusShape } from './corpus.ts';

export interface SqliteSearch {
  /**
   * Searches twenty sessions of an account, best first, each with its best snippet. Returns the duration in
   * milliseconds.
   */
  search(account: number, query: string, filters?: { start_date?: string; end_date?: string }): number;
  close(): void;
}

const BATCH = 10_000;

/**
 * Loads the same corpus into SQLite's FTS5, an embedded alternative: with a single index, and the account as a filter.
 */
export function openSqlite(file: string, shape: CorpusShape, progress: (line: string) => void): SqliteSearch {
  const isNew = !existsSync(`${file}.done`);
  if (isNew) rmSync(file, { force: true });
  const database = new DatabaseSync(file);
  database.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -512000; pragma mmap_size = 4000000000',
  );
  if (isNew) {
    fill(database, shape, progress);
    writeFileSync(`${file}.done`, '');
  }
  const statement = database.prepare(`
    select session, min(score) as score, snippet from (
      select chunk.session, bm25(words) as score, snippet(words, 0, '<mark>', '</mark>', '…', 35) as snippet
      from words join chunk on chunk.id = words.rowid
      where words match ? and chunk.account = ? and chunk.occurred_at >= ? and chunk.occurred_at < ?
      order by score limit 500
    ) group by session order by score limit 20`);
  return {
    search(account, query, filters) {
      const startedAt = performance.now();
      const start = filters?.start_date === undefined ? 0 : Date.parse(filters.start_date);
      const end = filters?.end_date === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(filters.end_date);
      statement.all(toFts(query), account, start, end);
      return performance.now() - startedAt;
    },
    close: () => database.close(),
  };
}

function fill(database: DatabaseSync, shape: CorpusShape, progress: (line: string) => void): void {
  database.exec(`
    create table chunk (id integer primary key, account integer, session text, occurred_at integer);
    create virtual table words using fts5(content, tokenize = 'unicode61');
    begin`);
  const insertChunk = database.prepare('insert into chunk values (?, ?, ?, ?)');
  const insertWords = database.prepare('insert into words (rowid, content) values (?, ?)');
  let id = 0;
  for (const row of generateCorpus(shape)) {
    id += 1;
    insertChunk.run(id, row.account, `${row.account}/${row.session}`, row.occurredAt.getTime());
    insertWords.run(id, row.content);
    if (id % BATCH === 0) database.exec('commit; begin');
    if (id % 250_000 === 0) progress(`SQLite: ${id} chunks`);
  }
  database.exec('commit; create index chunk_account on chunk (account, occurred_at); analyze');
}

/** Converts a query to the syntax of FTS5, which differs for exclusion and alternatives. */
function toFts(query: string): string {
  return query.replaceAll(' or ', ' OR ').replaceAll(/ -(\w+)/g, ' NOT $1');
}
