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
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from pg_prepared_statements order by name',
    );
    return rows.map((row) => row.name);
  }

  it('a marked statement is prepared once per connection, from the builder and from the pool, and answers as usual', async () => {
    for (const value of [1, 2, 3]) {
      const built = await sql<{ value: number }>`/* prepared test_built */ select ${value}::int as value`.execute(
        database.db,
      );
      expect(built.rows).toEqual([{ value }]);
      const pooled = await database.pool.query('/* prepared test_pooled */ select $1::int as value', [value]);
      expect(pooled.rows).toEqual([{ value }]);
    }
    expect(await listPrepared()).toEqual(['test_built', 'test_pooled']);
  });

  it('a statement without the mark, or without values, is not kept', async () => {
    await database.pool.query('select $1::int', [1]);
    await database.pool.query('/* prepared test_bare */ select 1');
    expect(await listPrepared()).not.toContain('test_bare');
  });

  it('a name that stands for another text is refused, so that no statement runs in the place of another', async () => {
    await expect(database.pool.query('/* prepared test_pooled */ select $1::text', ['x'])).rejects.toThrow(/unique/);
  });

  it('a statement that fails leaves the connection usable', async () => {
    const divide = '/* prepared test_divide */ select 1 / $1::int as quotient';
    await expect(database.pool.query(divide, [0])).rejects.toThrow(/division by zero/);
    expect((await database.pool.query(divide, [1])).rows).toEqual([{ quotient: 1 }]);
  });
});
