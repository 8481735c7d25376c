import { sql } from 'kysely';
import { requireQuota } from './require-quota.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';
import type { AnyTransaction } from './transact.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.pool.query('create table thing (account_id text, kind text)');
});
afterAll(() => database.drop());

const quota = (accountId: string, kind: string, limit: number) => ({
  accountId,
  what: kind,
  limit,
  variable: 'ACCOUNT_MAX_THINGS',
  rows: sql`select 1 from thing where account_id = ${accountId} and kind = ${kind}`,
});

async function addThing(accountId: string, kind: string, limit: number): Promise<void> {
  await database.db.transaction().execute(async (trx) => {
    await requireQuota(trx as AnyTransaction, quota(accountId, kind, limit));
    await sql`insert into thing values (${accountId}, ${kind})`.execute(trx);
  });
}

async function countThings(accountId: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('select count(*) from thing where account_id = $1', [
    accountId,
  ]);
  return rows[0]?.count ?? 0;
}

describe('a quota of an account (LIM-3 to LIM-6)', () => {
  it('allows the configured number and refuses the next one, naming the limit and the setting', async () => {
    await addThing('serial', 'keys', 2);
    await addThing('serial', 'keys', 2);
    await expect(addThing('serial', 'keys', 2)).rejects.toMatchObject({
      code: 'quota_reached',
      status: 409,
      detail: { limit: 2 },
      message: expect.stringContaining('ACCOUNT_MAX_THINGS') as unknown,
    });
    expect(await countThings('serial')).toBe(2);
  });

  it('applies to simultaneous requests', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => addThing('crowd', 'keys', 5)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await countThings('crowd')).toBe(5);
  });

  it('deletes nothing when it is lowered', async () => {
    await Promise.all([1, 2, 3].map(() => addThing('lowered', 'keys', 3)));
    await expect(addThing('lowered', 'keys', 1)).rejects.toThrow();
    expect(await countThings('lowered')).toBe(3);
  });

  it('does not delay other accounts or kinds', async () => {
    await database.db.transaction().execute(async (trx) => {
      await requireQuota(trx as AnyTransaction, quota('slow', 'keys', 5));
      await addThing('quick', 'keys', 5);
      await addThing('slow', 'roles', 5);
    });
    expect(await countThings('quick')).toBe(1);
  });

  it('is released by a failed transaction', async () => {
    const failing = database.db.transaction().execute(async (trx) => {
      await requireQuota(trx as AnyTransaction, quota('undone', 'keys', 1));
      await sql`insert into thing values ('undone', 'keys')`.execute(trx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await expect(addThing('undone', 'keys', 1)).resolves.toBeUndefined();
  });

  it('allows none if it is 0', async () => {
    await expect(addThing('none', 'keys', 0)).rejects.toMatchObject({ code: 'quota_reached' });
  });
});
