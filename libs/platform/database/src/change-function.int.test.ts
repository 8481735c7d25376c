import { sql } from 'kysely';
import { changeFunction } from './change-function.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await sql`create function public.greet(name text) returns text language sql as $$ select 'hello ' || name || '!!' $$`.execute(
    database.db,
  );
});
afterAll(() => database.drop());

const greet = async () => (await database.pool.query(`select greet('you') as words`)).rows;

describe('a function changed by a migration', () => {
  it('contains the new parts, replaced in the order of the changes', async () => {
    await changeFunction(database.db, 'public.greet(text)', [
      ['hello', "it''s"],
      ["it''s", '$& $1'],
    ]);
    expect(await greet()).toEqual([{ words: '$& $1 you!!' }]);
  });

  it.each(['!', 'goodbye'])('stays unchanged if a part does not occur exactly once: %s', async (piece) => {
    const before = await greet();
    const changes = [
      ['name', 'name'],
      [piece, '?'],
    ] as const;
    await expect(changeFunction(database.db, 'public.greet(text)', changes)).rejects.toThrow('exactly once');
    expect(await greet()).toEqual(before);
  });
});
