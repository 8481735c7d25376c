import fc from 'fast-check';
import { sql } from 'kysely';
import { createDatabase, inlineValues, type Database } from '@steward/database';
import { createLogger } from '@steward/runtime';
import { createTestDatabase, type TestDatabase } from '@steward/testing';

describe('prepared statements', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const logger = createLogger({ service: 'test', level: 'error', pretty: false });
    database = createDatabase({ url: testDatabase.url, applicationName: 'test', poolSize: 1, logger });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  async function listPrepared(): Promise<string[]> {
    const { rows } = await database.pool.query<{ statement: string }>('select statement from pg_prepared_statements');
    return rows.map((row) => row.statement).sort();
  }

  it('a marked statement is prepared once per connection, from the builder and from the pool, and answers as usual', async () => {
    for (const value of [1, 2, 3]) {
      const built = await sql<{ built: number }>`/* prepared */ select ${value}::int as built`.execute(database.db);
      expect(built.rows).toEqual([{ built: value }]);
      const pooled = await database.pool.query('/* prepared */ select $1::int as pooled', [value]);
      expect(pooled.rows).toEqual([{ pooled: value }]);
    }
    expect(await listPrepared()).toEqual([
      '/* prepared */ select $1::int as built',
      '/* prepared */ select $1::int as pooled',
    ]);
  });

  it('a statement without the mark, or without values, is not kept', async () => {
    await database.pool.query('select $1::int', [1]);
    await database.pool.query('/* prepared */ select 1');
    expect(await listPrepared()).not.toContainEqual(expect.stringContaining('select 1'));
  });

  it('a statement that fails leaves the connection usable', async () => {
    const divide = '/* prepared */ select 1 / $1::int as quotient';
    await expect(database.pool.query(divide, [0])).rejects.toThrow(/division by zero/);
    expect((await database.pool.query(divide, [1])).rows).toEqual([{ quotient: 1 }]);
  });
});

describe('values in the text of a statement', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const logger = createLogger({ service: 'test', level: 'error', pretty: false });
    database = createDatabase({ url: testDatabase.url, applicationName: 'test', poolSize: 1, logger });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  it('arrive as they are, whatever they hold: quotes, backslashes, dollars, comments', async () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...`'"\\$1;-/*? \n`), fc.string({ unit: 'grapheme', maxLength: 1 })),
    });
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer(), async (first, second, number) => {
        const statement = inlineValues('select $2::text as b, $1::text as a, $3::int as c, $1::text as d', [
          first,
          second,
          number,
        ]);
        const { rows } = await database.pool.query<Record<string, unknown>>(statement);
        expect(rows).toEqual([{ a: first, b: second, c: number, d: first }]);
      }),
      { numRuns: 200 },
    );
  });

  it('may be times, and nothing else that is no text and no number', async () => {
    const moment = new Date('2026-10-01T12:34:56.789Z');
    const { rows } = await database.pool.query(inlineValues('select $1::timestamptz as at', [moment]));
    expect(rows).toEqual([{ at: moment }]);
    for (const value of [null, undefined, ['a'], { a: 1 }, true])
      expect(() => inlineValues('select $1', [value])).toThrow(TypeError);
  });

  it('cannot end the statement: a NUL, which no text holds, is refused', () => {
    expect(() => inlineValues('select $1', ['a\u0000b'])).toThrow(TypeError);
  });
});
