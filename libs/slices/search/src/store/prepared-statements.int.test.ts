import { sql } from 'kysely';
import { createDatabase, type Database } from '@steward/database';
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
