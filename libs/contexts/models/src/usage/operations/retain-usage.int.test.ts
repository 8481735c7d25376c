import { firstIdAt, newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { sql } from 'kysely';
import { buildUsage } from '../../testing/open-models.ts';
import { insertUsage, listUsage } from '../store/usage.store.ts';
import { retainUsage } from './retain-usage.ts';

const DAY_MS = 86_400_000;
const MONTHS = 12;
let clone: Clone;
let [gateway, other]: Database[] = [];
beforeEach(async () => {
  clone = await openClone({ poolSize: 4 });
  gateway = clone.connectAs(APP_ROLES.apiGateway);
  other = clone.connectAs(APP_ROLES.apiGateway);
  await endFormer();
});
afterEach(() => clone.close());

const db = () => (gateway as Database).db;
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await clone.admin.pool.query<Row>(text, values)).rows;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
/** Returns a new id that was created at a time. */
const idAt = (time: Date): string => firstIdAt(time).slice(0, 19) + newId().slice(19);

/** Makes the partition of before the conversion end a year ago, as if it had happened then. */
async function endFormer(): Promise<void> {
  const [former] = await query<{ name: string; ends_at: Date }>(
    `select partition_name::text as name,
       date_trunc('month', now() at time zone 'UTC' - interval '${MONTHS} months') at time zone 'UTC' as ends_at
     from models.usage_partition_ends()`,
  );
  if (former === undefined) throw new Error('models.usage has no partition');
  await query(`alter table models.usage detach partition models.${former.name};
    alter table models.usage attach partition models.${former.name} for values from (minvalue) to ('${firstIdAt(former.ends_at)}')`);
}

interface Partition {
  readonly name: string;
  readonly ends_at: Date;
}
const listPartitions = () =>
  query<Partition>('select partition_name::text as name, ends_at from models.usage_partition_ends() order by ends_at');

/** Books a call for each of the given numbers of days ago. */
async function book(accountId: string, days: readonly number[]): Promise<void> {
  const rows = days.map((each) => buildUsage(accountId, { id: idAt(daysAgo(each)), occurredAt: daysAgo(each) }));
  await db()
    .transaction()
    .execute((trx) => insertUsage(trx, rows));
}
const listDays = async (accountId: string): Promise<number[]> =>
  (await listUsage(db(), { accountId, limit: 500 })).map(({ occurredAt }) =>
    Math.round((Date.now() - occurredAt.getTime()) / DAY_MS),
  );
const everyTenDays = Array.from({ length: 50 }, (_, at) => at * 10);

describe('partitions of usage rows (PROC-24)', () => {
  it('are added by month up to two months ahead, with the rows that were already there', async () => {
    const accountId = newId();
    await book(accountId, everyTenDays);
    const before = await query<{ rows: number }>('select count(*)::int as rows from models.usage_default');
    expect(before[0]?.rows).toBeGreaterThan(20);
    const { added, dropped } = await retainUsage(db(), { retentionDays: 500 });
    expect(added.length).toBeGreaterThanOrEqual(MONTHS + 2);
    expect(dropped).toEqual([]);
    expect(await query('select from models.usage_default')).toEqual([]);
    expect(await listDays(accountId)).toEqual(everyTenDays);
    const ends = (await listPartitions()).map(({ ends_at }) => ends_at.getTime());
    expect(ends.at(-1)).toBeGreaterThanOrEqual(Date.now() + 59 * DAY_MS);
    for (const [at, end] of ends.slice(1).entries()) expect(end - (ends[at] ?? 0)).toBeLessThanOrEqual(31 * DAY_MS);
    expect(await retainUsage(db(), { retentionDays: 500 })).toEqual({ added: [], dropped: [] });
    await book(accountId, [0, 1]);
    expect(await query('select from models.usage_default')).toEqual([]);
  });

  it('are one for all the time in which none was added, if it has many rows: these are not moved', async () => {
    const accountId = newId();
    await book(accountId, [300, 200, -2000]);
    await query(
      `insert into models.usage (account_id, id, occurred_at, endpoint, status, price_source, duration_ms, stream)
       select account_id, (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, occurred_at, endpoint, status, price_source,
         duration_ms, stream from models.usage cross join generate_series(1, 10000) n where account_id = $1 and occurred_at < now() - interval '250 days'`,
      [accountId],
    );
    const readFile = async (table: string) =>
      (await query<{ file: number }>(`select pg_relation_filenode('models.${table}'::regclass) as file`))[0]?.file;
    const file = await readFile('usage_default');
    const { added } = await retainUsage(db(), { retentionDays: 500 });
    expect([added.length, await readFile(added[0] ?? '')]).toEqual([1, file]);
    const counts = await query<{ rows: number; ahead: number }>(
      'select (select count(*)::int from models.usage) as rows, (select count(*)::int from models.usage_default) as ahead',
    );
    expect(counts).toEqual([{ rows: 10_003, ahead: 1 }]);
    expect((await listPartitions()).at(-1)?.ends_at.getTime()).toBeGreaterThanOrEqual(Date.now() + 59 * DAY_MS);
    expect(await retainUsage(db(), { retentionDays: 500 })).toEqual({ added: [], dropped: [] });
    await book(accountId, [0]);
    expect((await listDays(accountId)).slice(0, 3)).toEqual([-2000, 0, 200]);
  });

  it('are for three months, and none is dropped, without a retention', async () => {
    const accountId = newId();
    await book(accountId, [400, 0]);
    const { added, dropped } = await retainUsage(db(), { retentionDays: 0 });
    expect([added.length, dropped]).toEqual([MONTHS / 3 + 1, []]);
    expect(await listDays(accountId)).toEqual([0, 400]);
  });

  it.each([
    [730, 1],
    [1095, 2],
    [36_500, 12],
  ])('are for more months if the retention is long: %i days', async (retentionDays, months) => {
    await retainUsage(db(), { retentionDays });
    const ends = (await listPartitions()).map(({ ends_at }) => ends_at.getTime());
    for (const [at, end] of ends.slice(1).entries())
      expect(Math.round((end - (ends[at] ?? 0)) / DAY_MS / 30.4)).toBe(months);
  });

  it('are dropped once all their rows are older than the retention; no younger row is removed', async () => {
    const accountId = newId();
    await book(accountId, everyTenDays);
    const { dropped } = await retainUsage(db(), { retentionDays: 100 });
    expect(dropped.length).toBeGreaterThanOrEqual(MONTHS - 5);
    const left = await listDays(accountId);
    expect(left.filter((days) => days <= 101)).toEqual(everyTenDays.filter((days) => days <= 101));
    expect(Math.max(...left)).toBeLessThan(101 + 32);
    for (const { ends_at } of await listPartitions())
      expect(ends_at.getTime()).toBeGreaterThan(daysAgo(101.01).getTime());
  });

  it('are dropped once, however many processes do it', async () => {
    await book(newId(), everyTenDays);
    await retainUsage(db(), { retentionDays: 500 });
    const known = await listPartitions();
    const done = await Promise.all(
      [gateway, other, gateway, other].map((each) => retainUsage((each as Database).db, { retentionDays: 40 })),
    );
    done.push(await retainUsage(db(), { retentionDays: 40 }));
    const names = done.flatMap(({ dropped }) => dropped.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    const left = await listPartitions();
    expect([...names, ...left.map(({ name }) => name)].toSorted()).toEqual(known.map(({ name }) => name).toSorted());
  });

  it('stay, with their rows, if the process is killed before the commit', async () => {
    const accountId = newId();
    await book(accountId, [300]);
    await retainUsage(db(), { retentionDays: 500 });
    const known = await listPartitions();
    const killed = db()
      .transaction()
      .execute(async (trx) => {
        await sql`select from models.drop_usage_partition(40)`.execute(trx);
        throw new Error('killed');
      });
    await expect(killed).rejects.toThrow('killed');
    expect(await listPartitions()).toEqual(known);
    expect(await listDays(accountId)).toEqual([300]);
    await retainUsage(db(), { retentionDays: 40 });
    expect(await listDays(accountId)).toEqual([]);
  });

  it('are not waited for while a transaction reads them: callers are not held up behind the wait', async () => {
    await book(newId(), [300]);
    await retainUsage(db(), { retentionDays: 500 });
    const reader = await (other as Database).pool.connect();
    await reader.query('begin; select from models.usage');
    await expect(retainUsage(db(), { retentionDays: 40 })).rejects.toThrow('lock timeout');
    await reader.query('commit');
    reader.release();
    expect((await retainUsage(db(), { retentionDays: 40 })).dropped.length).toBeGreaterThan(5);
  });

  it('stay if they have rows of the last 35 days, and the app itself removes no row', async () => {
    for (const days of [34, 0, null])
      await expect(
        (gateway as Database).pool.query('select from models.drop_usage_partition($1)', [days]),
      ).rejects.toThrow('the last 35 days');
    await expect((gateway as Database).pool.query('delete from models.usage')).rejects.toThrow(/permission denied/);
    await expect((gateway as Database).pool.query('drop table models.usage_default')).rejects.toThrow(/must be owner/);
  });

  it.each([-2, 2])('stay if one of the clocks is wrong by more than a day: %i days', async (days) => {
    await retainUsage(db(), { retentionDays: 500 });
    const known = await listPartitions();
    await expect(retainUsage(db(), { retentionDays: 40, now: daysAgo(days) })).rejects.toThrow('clocks');
    expect(await listPartitions()).toEqual(known);
  });

  it('keep calls whose ids are from a clock that is far ahead', async () => {
    const accountId = newId();
    await book(accountId, [-2000]);
    await retainUsage(db(), { retentionDays: 40 });
    expect(await listDays(accountId)).toEqual([-2000]);
  });
});
