import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { assertKeysFit, type KeyCheck } from './assert-keys-fit.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('drop table if exists holder; create table holder (id text, value bytea, other bytea)');
});

const CURRENT = 'current-key-current-key-current-key-32';
const FORMER = 'former-key-former-key-former-key-former';
const box = (...keys: string[]) => createSecretBox(keys, KEY_PURPOSES.endpoint);

const column = (name: string, purpose: string = KEY_PURPOSES.endpoint) => ({
  table: 'holder',
  column: name,
  key: ['id'],
  describeContext: ({ id }: Readonly<Record<string, string>>) => id ?? '',
  purpose,
});

const check = (opening: ReturnType<typeof box>, change: Partial<KeyCheck> = {}): KeyCheck => ({
  columns: [column('value')],
  boxes: { [KEY_PURPOSES.endpoint]: opening },
  variable: 'SECRET_KEY',
  isLost: false,
  ...change,
});

async function store(sealing: ReturnType<typeof box>, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await database.pool.query('insert into holder values ($1, $2)', [id, sealing.seal('secret', id)]);
}

async function run(asked: KeyCheck): Promise<Readonly<Record<string, unknown>>[]> {
  const warnings: Readonly<Record<string, unknown>>[] = [];
  await assertKeysFit(database.db, asked, {
    warn: (event, fields = {}) => void warnings.push({ event, ...fields }),
  });
  return warnings;
}

describe('the key of a database (PROC-4)', () => {
  it('is accepted silently if it decrypts everything', async () => {
    await store(box(CURRENT), ['a', 'b']);
    expect(await run(check(box(CURRENT)))).toEqual([]);
  });

  it('is not checked in a database without secrets', async () => {
    expect(await run(check(box(CURRENT)))).toEqual([]);
  });

  it('prevents the start with one line (setting, number, remedy) if it decrypts none of the secrets', async () => {
    await store(box(FORMER), ['a', 'b', 'c']);
    const line =
      /^SECRET_KEY is not the key of this database: none of its 3 stored secrets can be decrypted\..*SECRET_KEY_PREVIOUS.*SECRET_KEY_LOST=true/;
    await expect(run(check(box(CURRENT)))).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(line) as unknown,
    });
  });

  it('is accepted although it decrypts none of the secrets if an operator declares the previous key lost', async () => {
    await store(box(FORMER), ['a']);
    expect(await run(check(box(CURRENT), { isLost: true }))).toMatchObject([
      { event: 'secrets.key_missing', variable: 'SECRET_KEY', secrets: 1 },
    ]);
  });

  it('causes a warning with the ids of the missing keys, and no secret, if it decrypts only some secrets', async () => {
    await store(box(CURRENT), ['a', 'b']);
    await store(box(FORMER), ['c']);
    const warnings = await run(check(box(CURRENT)));
    expect(warnings).toEqual([
      {
        event: 'secrets.key_missing',
        variable: 'SECRET_KEY',
        secrets: 1,
        keys: [box(FORMER).prefix.subarray(1).toString('hex')],
      },
    ]);
    expect(JSON.stringify(warnings)).not.toContain(FORMER);
  });

  it('is checked together with previous keys: a start during a rotation succeeds', async () => {
    await store(box(CURRENT), ['a']);
    await store(box(FORMER), ['b']);
    expect(await run(check(box(CURRENT, FORMER)))).toEqual([]);
  });

  it('is not checked for columns with a purpose that the process does not decrypt', async () => {
    await database.pool.query('insert into holder values ($1, null, $2)', ['a', box(FORMER).seal('secret', 'a')]);
    expect(await run(check(box(CURRENT), { columns: [column('other', KEY_PURPOSES.flowAgent)] }))).toEqual([]);
  });

  it('is not checked against values that contain no key id', async () => {
    await database.pool.query('insert into holder values ($1, $2)', ['a', Buffer.from([1, 9, 9, 9, 9, 9])]);
    expect(await run(check(box(CURRENT)))).toEqual([]);
  });
});
