import { sql } from 'kysely';
import { eventually } from '@steward/testing';
import { isTransientDatabaseError } from './pg-errors.ts';
import { prepared } from './prepared.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

async function read<T>(text: string): Promise<T> {
  const { rows } = await database.pool.query<{ value: T }>(`select ${text} as value`);
  return rows[0]?.value as T;
}

describe('values read from the database', () => {
  it('are numbers for counts, sizes and amounts of money', async () => {
    expect(await read('9007199254740991::bigint')).toBe(9_007_199_254_740_991);
    expect(await read('12.345678::numeric')).toBe(12.345678);
    expect(await read('count(*)')).toBe(1);
  });

  it('cause an error instead of a wrong number if they exceed the range of numbers', async () => {
    await expect(read('9007199254740993::bigint')).rejects.toThrow('cannot be represented exactly as a number');
  });

  it('are times with milliseconds, regardless of the time zone of the session', async () => {
    const moment = new Date('2026-11-20T09:00:00.123Z');
    expect(await read("'2026-11-20 10:00:00.123456+01'::timestamptz")).toEqual(moment);
    await database.pool.query("set time zone 'Asia/Kolkata'");
    expect(await read("'2026-11-20 10:00:00.123456+01'::timestamptz")).toEqual(moment);
  });

  it('are converted without affecting other users of the driver in this process', async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ value: unknown }>('select 1::bigint as value');
      expect(rows[0]?.value).toBe('1');
    } finally {
      await client.end();
    }
  });
});

describe('connections of a pool', () => {
  it.each([
    [true, ['kept']],
    [false, []],
  ])('use named statements only if enabled, with the same results (PROC-18): %s', async (namedStatements, kept) => {
    const pooled = database.open({ namedStatements });
    const client = await pooled.pool.connect();
    try {
      const ask = () => client.query<{ value: number }>(prepared('kept', 'select $1::int + 1 as value', [1]));
      expect([(await ask()).rows, (await ask()).rows]).toEqual([[{ value: 2 }], [{ value: 2 }]]);
      const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements');
      expect(rows.map(({ name }) => name)).toEqual(kept);
    } finally {
      client.release();
      await pooled.close();
    }
  });

  it('have a name, so that an operator can see which one holds a lock', async () => {
    const named = database.open({ applicationName: 'steward-who' });
    const { rows } = await named.pool.query<{ name: string }>(
      'select application_name as name from pg_stat_activity where pid = pg_backend_pid()',
    );
    expect(rows).toEqual([{ name: 'steward-who' }]);
  });

  it('each get their settings before their first query', async () => {
    const pool = database.open({ poolSize: 3, sessionSettings: { work_mem: '7MB', statement_timeout: '54321ms' } });
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        pool.pool.query<{ work_mem: string }>("select pg_sleep(0.1), current_setting('work_mem') as work_mem"),
      ),
    );
    expect(answers.map(({ rows }) => rows[0]?.work_mem)).toEqual(['7MB', '7MB', '7MB']);
    expect((await pool.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '54321ms' }]);
  });

  it('time out according to the pool’s options', async () => {
    const pool = database.open({ poolSize: 1, checkoutTimeoutMs: 300 });
    // The connection is opened repeatedly, since a busy machine may need longer than this limit.
    const only = await eventually(() => pool.pool.connect());
    await expect(pool.pool.query('select 1')).rejects.toThrow('timeout exceeded');
    only.release();
  });

  it('are limited to the configured number; further requests wait for a free one', async () => {
    const pool = database.open({ poolSize: 2 });
    const asks = Array.from({ length: 10 }, () => pool.pool.query('select pg_sleep(0.01)'));
    await Promise.all(asks);
    expect(pool.pool.totalCount).toBe(2);
  });
});

describe('a lost database server (PROC-9)', () => {
  const endOthers = (name: string) =>
    database.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
      [name],
    );

  it('closes only the idle connection and is logged; the process keeps running', async () => {
    const pool = database.open({ applicationName: 'steward-idle', poolSize: 1 });
    await pool.checkHealth();
    await endOthers('steward-idle');
    await eventually(() =>
      Promise.resolve(database.logged.some(({ message }) => message === 'database.idle_connection_lost')),
    );
    await expect(pool.checkHealth()).resolves.toBeUndefined();
  });

  it('makes running statements fail with a retryable error; later ones succeed', async () => {
    const pool = database.open({ applicationName: 'steward-busy', poolSize: 1 });
    const running = pool.pool.query('select pg_sleep(30)').catch((error: unknown) => error);
    await eventually(async () => {
      const { rows } = await database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and application_name = 'steward-busy' and state = 'active'",
      );
      return rows.length === 1;
    });
    await endOthers('steward-busy');
    expect(isTransientDatabaseError(await running)).toBe(true);
    await expect(pool.checkHealth()).resolves.toBeUndefined();
  });
});

describe('the start (PROC-1)', () => {
  it('succeeds if the server responds', async () => {
    await expect(database.connect()).resolves.toBeUndefined();
  });

  it.each([
    ['nobody listens', 'postgres://app:canary-password@127.0.0.1:1/steward'],
    ['the name leads nowhere', 'postgres://app:canary-password@no-such-host.invalid:5432/steward'],
  ])('fails with one line that names the variable and the address, but not the password, if %s', async (_why, url) => {
    const error = await database
      .open({ url })
      .connect()
      .catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ name: 'StartupError' });
    const { message } = error as Error;
    expect(message).toMatch(/^the database of DATABASE_URL \(postgres:\/\/.*(127\.0\.0\.1:1|no-such-host)/);
    expect(message).not.toContain('canary-password');
    expect(message).not.toContain('\n');
  });

  it('fails in the same way if the credentials are wrong', async () => {
    const url = new URL(database.url);
    url.username = 'nobody_of_this_name';
    url.password = 'canary-password';
    const open = database.open({ url: url.href });
    await expect(open.connect()).rejects.toThrow(/DATABASE_URL .*nobody_of_this_name/);
    await expect(open.connect()).rejects.not.toThrow('canary-password');
  });
});

describe('the query builder', () => {
  it('uses the same pool', async () => {
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db);
    expect(rows).toEqual([{ one: 1 }]);
  });
});
