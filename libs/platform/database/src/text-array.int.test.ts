import { openDatabase, type OpenDatabase } from './testing/open-database.ts';
import { textArray } from './text-array.ts';

const TEXT_LENGTH = 1000;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

async function read(texts: readonly (string | null)[]): Promise<readonly (string | null)[] | undefined> {
  const { rows } = await database.pool.query<{ texts: (string | null)[] }>('select $1::text[] as texts', [
    textArray(texts),
  ]);
  return rows[0]?.texts;
}

describe('an array of strings in binary form', () => {
  it.each<[string, (string | null)[]]>([
    ['no text', []],
    ['an empty text and none', ['', null, '']],
    ['signs of array literals', ['{', '}', ',', '"', '\\', 'NULL', ' a ', '\n']],
    ['characters of two to four bytes', ['é', '語', '😀']],
  ])('arrives as it is: %s', async (_what, texts) => {
    expect(await read(texts)).toEqual(texts);
  });

  it('is stored unchanged with every character that Postgres supports', async () => {
    const texts = [[0x01, 0xd7ff] as const, [0xe000, 0x10_ffff] as const].flatMap(([first, last]) =>
      Array.from({ length: Math.ceil((last - first + 1) / TEXT_LENGTH) }, (_, index) => {
        const start = first + index * TEXT_LENGTH;
        const length = Math.min(TEXT_LENGTH, last - start + 1);
        return String.fromCodePoint(...Array.from({ length }, (_none, offset) => start + offset));
      }),
    );
    expect((await read(texts))?.join('') === texts.join('')).toBe(true);
  });

  it('is read column by column next to ordinary arrays', async () => {
    const { rows } = await database.pool.query('select * from unnest($1::int[], $2::text[]) as row (id, text)', [
      [1, 2],
      textArray(['first', null]),
    ]);
    expect(rows).toEqual([
      { id: 1, text: 'first' },
      { id: 2, text: null },
    ]);
  });
});
