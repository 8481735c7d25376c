import { sql } from 'kysely';
import { executePrepared, prepared } from './prepared.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

async function listPrepared(pool: OpenDatabase['pool'], part: string): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements order by 1');
  return rows.map(({ statement }) => statement).filter((statement) => statement.includes(part));
}

describe('a prepared statement', () => {
  it('is prepared once per connection, for any values', async () => {
    const { pool } = database.open({ poolSize: 1 });
    for (const value of [1, 2, 3]) {
      const { rows } = await pool.query<{ marked: number }>(
        prepared('test.marked', 'select $1::int as marked', [value]),
      );
      expect(rows).toEqual([{ marked: value }]);
    }
    expect(await listPrepared(pool, 'as marked')).toHaveLength(1);
  });

  it('can be built by the query builder', async () => {
    const { db, pool } = database.open({ poolSize: 1 });
    for (const value of [1, 2]) {
      const { rows } = await executePrepared(db, 'test.built', sql<{ built: number }>`select ${value}::int as built`);
      expect(rows).toEqual([{ built: value }]);
    }
    expect(await listPrepared(pool, 'as built')).toHaveLength(1);
  });

  it('has the same name on all connections, and is not mixed up with others', async () => {
    const { pool } = database.open({ poolSize: 4 });
    const ask = (sign: '' | '-', value: number) =>
      pool.query<{ value: number }>(prepared(`test.sign${sign}`, `select ${sign}$1::int as value`, [value]));
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0 ? '' : '-', index)));
    expect(answers.map(({ rows }) => rows[0]?.value)).toEqual(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? index : -index)),
    );
  });

  it('is named only on request', async () => {
    const { pool } = database.open({ poolSize: 1 });
    await pool.query('select $1::int as plain', [1]);
    expect(await listPrepared(pool, 'as plain')).toEqual([]);
  });

  it('is prepared once for a transaction of the query builder and for later use on the same connection', async () => {
    const { db, pool } = database.open({ poolSize: 1 });
    const ask = (on: typeof db) => executePrepared(on, 'test.both', sql<{ both: number }>`select ${1}::int as both`);
    await db.transaction().execute((trx) => ask(trx));
    await ask(db);
    expect(await listPrepared(pool, 'as both')).toHaveLength(1);
  });

  it('leaves the connection usable if it fails', async () => {
    const { pool } = database.open({ poolSize: 1 });
    const divide = (by: number) => pool.query(prepared('test.divide', 'select 1 / $1::int as quotient', [by]));
    await expect(divide(0)).rejects.toThrow(/division by zero/);
    expect((await divide(1)).rows).toEqual([{ quotient: 1 }]);
  });

  it('is refused if another statement has its name', async () => {
    const { pool } = database.open({ poolSize: 1 });
    await pool.query(prepared('test.name', 'select $1::int', [1]));
    await expect(pool.query(prepared('test.name', 'select -$1::int', [1]))).rejects.toThrow(/must be unique/);
  });
});
