import type { Socket } from 'node:net';
import { sql } from 'kysely';
import { executeDeferred, executePrepared } from './prepared.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';
import { startRejectingPooler } from './testing/start-rejecting-pooler.ts';
import { transact, type AnyTransaction } from './transact.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.pool.query(`
    create table fact (name text primary key, owner text);
    create table owner (name text primary key);
    alter table fact add foreign key (owner) references owner deferrable initially deferred
  `);
});
afterAll(() => database.drop());

const insertSql = (name: string, owner: string | null = null) =>
  sql<{ name: string }>`insert into fact (name, owner) values (${name}, ${owner}) returning name`;
const insert = (trx: AnyTransaction, name: string) => insertSql(name).execute(trx);
const insertLater = (trx: AnyTransaction, name: string, owner?: string) =>
  executeDeferred(trx, 'test.insert', insertSql(name, owner));

async function listFacts(prefix: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    'select name from fact where starts_with(name, $1) order by name',
    [prefix],
  );
  return rows.map(({ name }) => name);
}

/** Opens a pool with one connection, and counts the packets that the connection sends. */
async function openCounted() {
  const { db, pool } = database.open({ poolSize: 1 });
  const client = await pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  client.release();
  let packets = 0;
  const write = stream._write.bind(stream);
  const writev = stream._writev?.bind(stream);
  stream._write = (...args) => {
    packets += 1;
    write(...args);
  };
  stream._writev = (...args) => {
    packets += 1;
    writev?.(...args);
  };
  return {
    db,
    pool,
    async count(work: () => Promise<unknown>): Promise<number> {
      const before = packets;
      await work();
      return packets - before;
    },
  };
}

describe('the beginning of a transaction', () => {
  it('is sent in one packet with its first statement', async () => {
    const { db, count } = await openCounted();
    const store = (name: string) => transact({ db }, (trx) => insert(trx, name));
    expect(await count(() => store('first-1'))).toBe(2);
    expect(await count(() => store('first-2'))).toBe(2);
    expect(await listFacts('first-')).toEqual(['first-1', 'first-2']);
  });

  it('is not sent without statements, whether the work succeeds or fails', async () => {
    const { db, count } = await openCounted();
    expect(await count(() => transact({ db }, () => Promise.resolve('done')))).toBe(0);
    const failing = transact({ db }, () => Promise.reject(new Error('no work')));
    expect(await count(() => expect(failing).rejects.toThrow('no work'))).toBe(0);
  });

  it('precedes a text that has several statements', async () => {
    const { db } = await openCounted();
    const several = sql`insert into fact values ('several-1'); insert into fact values ('several-2')`;
    const failing = transact({ db }, async (trx) => {
      await several.execute(trx);
      throw new Error('no commit');
    });
    await expect(failing).rejects.toThrow('no commit');
    expect(await listFacts('several-')).toEqual([]);
    await transact({ db }, (trx) => several.execute(trx));
    expect(await listFacts('several-')).toEqual(['several-1', 'several-2']);
  });

  it('is at the time of the first statement, with the result of that statement alone', async () => {
    const { db } = await openCounted();
    const results = await transact({ db }, async (trx) => [
      await executePrepared(trx, 'test.value', sql<{ value: number }>`select ${1}::int as value`),
      await sql<{ value: number }>`select ${2}::int as value`.execute(trx),
      await insert(trx, 'result'),
    ]);
    expect(results.map(({ rows }) => rows)).toEqual([[{ value: 1 }], [{ value: 2 }], [{ name: 'result' }]]);
  });

  it('is undone with a first statement that fails', async () => {
    const { db, pool } = await openCounted();
    await transact({ db }, (trx) => insert(trx, 'twice'));
    await expect(transact({ db }, (trx) => insert(trx, 'twice'))).rejects.toMatchObject({ code: '23505' });
    const { rows } = await pool.query<{ state: string }>('select txid_current_if_assigned() is null as state');
    expect(rows).toEqual([{ state: true }]);
    await transact({ db }, (trx) => insert(trx, 'twice-2'));
    expect(await listFacts('twice')).toEqual(['twice', 'twice-2']);
  });

  it.each([
    ['a statement with values', (trx: AnyTransaction) => insert(trx, 'first')],
    ['a statement without values', (trx: AnyTransaction) => sql`select`.execute(trx)],
  ])('that is rejected fails the transaction, of which nothing is executed: %s', async (_what, first) => {
    const pooler = await startRejectingPooler(database.url);
    try {
      const { db } = database.open({ url: pooler.url, poolSize: 1 });
      const failing = transact({ db }, (trx) => Promise.all([first(trx), insert(trx, 'rejected')]));
      await expect(failing).rejects.toMatchObject({ code: '08006' });
      expect(await listFacts('rejected')).toEqual([]);
    } finally {
      await pooler.stop();
    }
  });

  it('is sent with a text without values before a rollback that follows at once', async () => {
    const { db, pool } = await openCounted();
    const failing = transact({ db }, (trx) =>
      Promise.all([sql`insert into fact values ('overtaken')`.execute(trx), Promise.reject(new Error('no commit'))]),
    );
    await expect(failing).rejects.toThrow('no commit');
    await pool.query('select 1');
    expect(await listFacts('overtaken')).toEqual([]);
  });

  it('has the isolation level that is asked for', async () => {
    const { db } = await openCounted();
    const read = sql<{ level: string }>`select current_setting('transaction_isolation') as level`;
    const { rows } = await db
      .transaction()
      .setIsolationLevel('serializable')
      .execute((trx) => read.execute(trx));
    expect(rows).toEqual([{ level: 'serializable' }]);
  });
});

describe('a deferred statement', () => {
  it('is sent with the next statement, or with the commit', async () => {
    const { db, count } = await openCounted();
    const store = (name: string) => async () =>
      transact({ db }, async (trx) => {
        await insertLater(trx, `${name}-1`);
        const { rows } = await sql<{ own: number }>`
          select count(*)::int as own from fact where starts_with(name, ${name})`.execute(trx);
        expect(rows).toEqual([{ own: 1 }]);
        await insertLater(trx, `${name}-2`);
        await insertLater(trx, `${name}-3`);
      });
    expect(await count(store('with'))).toBe(2);
    expect(await count(store('again'))).toBe(2);
    expect(await listFacts('with')).toEqual(['with-1', 'with-2', 'with-3']);
  });

  it('is sent alone with the beginning and the commit of its transaction', async () => {
    const { db, count } = await openCounted();
    expect(await count(() => transact({ db }, (trx) => insertLater(trx, 'alone')))).toBe(1);
    expect(await listFacts('alone')).toEqual(['alone']);
  });

  it('fails the transaction with its own error, before or at the commit', async () => {
    const { db } = await openCounted();
    await transact({ db }, (trx) => insert(trx, 'known'));
    const between = transact({ db }, async (trx) => {
      await insertLater(trx, 'known');
      await insert(trx, 'known-2');
    });
    await expect(between).rejects.toMatchObject({ code: '23505' });
    const last = transact({ db }, async (trx) => {
      await insert(trx, 'known-3');
      await insertLater(trx, 'known-4');
      await insertLater(trx, 'known');
    });
    await expect(last).rejects.toMatchObject({ code: '23505' });
    const unowned = transact({ db }, (trx) => insertLater(trx, 'known-5', 'nobody'));
    await expect(unowned).rejects.toMatchObject({ code: '23503' });
    await transact({ db }, (trx) => insertLater(trx, 'known-6'));
    expect(await listFacts('known')).toEqual(['known', 'known-6']);
  });

  it('is dropped if the work fails before the next statement', async () => {
    const { db } = await openCounted();
    const failing = transact({ db }, async (trx) => {
      await insertLater(trx, 'dropped');
      throw new Error('changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');
    await transact({ db }, (trx) => insert(trx, 'dropped-2'));
    expect(await listFacts('dropped')).toEqual(['dropped-2']);
  });

  it('is parsed once per connection, also if a statement before it in its packet failed', async () => {
    const { db, pool } = await openCounted();
    const insertOther = (trx: AnyTransaction, name: string) =>
      executeDeferred(trx, 'test.insert-other', sql`insert into fact (name) values (${name})`);
    await transact({ db }, (trx) => insert(trx, 'parsed'));
    const store = async (first: string, second: string) =>
      transact({ db }, async (trx) => {
        await insertLater(trx, first);
        await insertOther(trx, second);
        return executePrepared(trx, 'test.after', sql<{ seen: number }>`select ${3}::int as seen`);
      });
    await expect(store('parsed', 'parsed-2')).rejects.toMatchObject({ code: '23505' });
    expect((await store('parsed-3', 'parsed-4')).rows).toEqual([{ seen: 3 }]);
    expect((await store('parsed-5', 'parsed-6')).rows).toEqual([{ seen: 3 }]);
    const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements order by name');
    expect(rows.map(({ name }) => name)).toEqual(['test.after', 'test.insert', 'test.insert-other']);
  });

  it('that cannot be sent fails its transaction, and its connection remains usable', async () => {
    const { db, pool } = await openCounted();
    const insertOwner = (trx: AnyTransaction, name: unknown) =>
      executeDeferred(trx, 'test.insert-owner', sql`insert into owner values (${name})`);
    const store = (name: unknown) =>
      transact({ db }, async (trx) => {
        await insertLater(trx, `unsent-${typeof name}`);
        await insertOwner(trx, name);
        await insertLater(trx, 'unsent-last');
      });
    await expect(store({ owner: 1n })).rejects.toThrow(/BigInt/);
    await store('known');
    await transact({ db }, (trx) => insertOwner(trx, 'unsent'));
    await expect(transact({ db }, (trx) => insertOwner(trx, { owner: 1n }))).rejects.toThrow(/BigInt/);
    await transact({ db }, (trx) => insertOwner(trx, 'unsent-2'));
    expect(await listFacts('unsent')).toEqual(['unsent-last', 'unsent-string']);
    const { rows } = await pool.query<{ name: string }>('select name from owner order by name');
    expect(rows.map(({ name }) => name)).toEqual(['known', 'unsent', 'unsent-2']);
  });

  it('with the name of another one fails its transaction, and its connection remains usable', async () => {
    const { db } = await openCounted();
    const store = (name: string) =>
      transact({ db }, async (trx) => {
        await executeDeferred(trx, 'test.first', sql`insert into fact (name) values (${`${name}-1`})`);
        await executeDeferred(trx, name, sql`insert into fact values (${`${name}-2`})`);
      });
    await expect(store('test.first')).rejects.toThrow(/must be unique/);
    await store('named');
    expect(await listFacts('named')).toEqual(['named-1', 'named-2']);
  });

  it('is executed at once outside of a transaction', async () => {
    const { db } = await openCounted();
    await insertLater(db as AnyTransaction, 'outside');
    expect(await listFacts('outside')).toEqual(['outside']);
  });

  it('needs no names (behind a pooler)', async () => {
    const { db, pool } = database.open({ poolSize: 1, namedStatements: false });
    await transact({ db }, async (trx) => {
      await insertLater(trx, 'nameless-1');
      await insertLater(trx, 'nameless-2');
    });
    const { rows } = await pool.query('select from pg_prepared_statements');
    expect(rows).toEqual([]);
    expect(await listFacts('nameless')).toEqual(['nameless-1', 'nameless-2']);
  });
});
