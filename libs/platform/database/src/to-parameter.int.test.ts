import { openDatabase, type OpenDatabase } from './testing/open-database.ts';
import { toParameter } from './to-parameter.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

async function read(type: string, value: unknown): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(`select $1::${type} as value`, [value]);
  return rows[0]?.value;
}

const FIRST = new Date('0001-01-01T00:00:00Z');
const LAST = new Date('9999-12-31T23:59:59.999Z');

describe('a parameter that the driver does not convert', () => {
  it.each<[string, string, unknown[]]>([
    ['no element', 'text[]', []],
    ['an empty string and none', 'text[]', ['', null, '']],
    ['signs of array literals', 'text[]', ['{', '}', ',', '"', '""', 'NULL', 'null', ' a ', "'"]],
    ['characters of two to four bytes', 'text[]', ['é', '語', '😀', '\u2028', '\u007f']],
    ['integers', 'integer[]', [1, -2, null]],
    ['large and small numbers', 'double precision[]', [1e300, -1.5e-7, 0.1]],
    ['booleans', 'boolean[]', [true, false, null]],
    ['dates', 'timestamptz[]', [FIRST, LAST, null]],
  ])('arrives as it is: %s', async (_what, type, value) => {
    expect(toParameter(value)).toBeDefined();
    expect(await read(type, value)).toEqual(value);
  });

  it.each([FIRST, LAST, new Date(0)])('arrives as it is: %s', async (date) => {
    expect(toParameter(date)).toBe(date.toISOString());
    expect(await read('timestamptz', date)).toEqual(date);
  });

  it('is sent in its own form, where the driver would write local time', async () => {
    expect(await read('text', LAST)).toBe(LAST.toISOString());
    expect(await read('text', ['a', null])).toBe('{"a",null}');
  });
});

describe('a parameter that the driver converts', () => {
  it.each<[string, string, unknown]>([
    ['control characters', 'text[]', ['\n', '\t', '\u0001']],
    ['backslashes', 'text[]', ['C:\\new', '\\', '\\"', '\\\\n']],
    ['numbers that JSON does not know', 'double precision[]', [Number.NaN, Infinity, -Infinity]],
    ['lists of lists', 'integer[]', [[1], [2]]],
    ['a date before the year 1', 'timestamptz[]', [new Date(FIRST.getTime() - 86_400_000)]],
    ['bytes', 'bytea[]', [Buffer.from([0, 255])]],
  ])('arrives as it is: %s', async (_what, type, value) => {
    expect(await read(type, value)).toEqual(value);
  });

  it('replaces a lone surrogate, as in any string', async () => {
    expect(await read('text[]', ['a\ud800'])).toEqual(['a\ufffd']);
  });

  it.each([new Date(LAST.getTime() + 1), new Date(FIRST.getTime() - 1), new Date(Number.NaN)])(
    'is a date: %s',
    (date) => expect(toParameter(date)).toBeUndefined(),
  );
});
