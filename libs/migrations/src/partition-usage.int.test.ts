import { newId } from '@steward/crypto';
import { APP_ROLES, createDatabase, type Database } from '@steward/database';
import { modelsMigrations } from '@steward/models';
import { createLogger } from '@steward/process';
import { eventually } from '@steward/testing';
import { migratePatiently } from './migrate-patiently.ts';
import { useMigrated } from './testing/use-migrated.ts';

const ACCOUNT = newId();
const STORED = 20_000;
/** A call that was booked by a process whose clock was far ahead. */
const AHEAD = 'f0000000-0000-7000-8000-000000000000';
/** The statement by which every version since 0.1.0 books calls, in short. */
const BOOK = `
  insert into models.usage as booked (account_id, id, occurred_at, endpoint, status, price_source, usage_source, duration_ms, stream)
  select account_id, id, occurred_at, endpoint, status, price_source, usage_source, duration_ms, stream
  from jsonb_populate_recordset(null::models.usage, $1::jsonb)
  on conflict (account_id, id) do update set usage_source = excluded.usage_source
  where booked.usage_source = 'assumed' and excluded.usage_source is distinct from 'assumed'
  returning id`;
const LIST = 'select id from models.usage where account_id = $1 order by occurred_at desc, id desc limit 50';

const migrated = useMigrated();
let owner: Database;
let app: Database;
const open = (url: string, poolSize: number) =>
  createDatabase({
    url,
    applicationName: 'test',
    poolSize,
    checkoutTimeoutMs: 60_000,
    logger: createLogger({ service: 'test', level: 'error', pretty: false }),
  });
beforeAll(async () => {
  owner = open(migrated.database.url, 4);
  app = open(migrated.database.urlForRole(APP_ROLES.apiGateway), 4);
  await restoreTable();
});
afterAll(async () => {
  await app.close();
  await owner.close();
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await owner.pool.query<Row>(text, values)).rows;

/** Replaces the partitioned table by the table of 0.1.0, with its triggers and with rows. */
async function restoreTable(): Promise<void> {
  const triggers = await query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = 'models.usage'::regclass and not tgisinternal`,
  );
  await query(`
    drop table models.usage;
    drop function models.add_usage_partitions, models.drop_usage_partition, models.usage_partition_ends;
    drop trigger revision_caller_change on models.revision;
    delete from models.schema_migration where name >= '0008'`);
  for (const name of ['0003_create_usage', '0004_index_usage', '0005_take_costs_of_providers'])
    await modelsMigrations.migrations[name]?.up(owner.db);
  for (const { definition } of triggers) await query(definition);
  await query(
    `insert into models.usage (account_id, id, occurred_at, endpoint, status, price_source, usage_source, duration_ms, stream)
     select $1, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5(n::text), 1, 15))::uuid,
       at, 'responses', 'ok', 'catalogue', 'provider', 5, true
     from (select n, now() - n * interval '1 minute' as at from generate_series(1, ${STORED}) n) given`,
    [ACCOUNT],
  );
  await query(
    `insert into models.usage (account_id, id, occurred_at, endpoint, status, price_source, usage_source, duration_ms, stream)
     values ($1, $2, now() - interval '1 day', 'responses', 'ok', 'catalogue', 'provider', 5, true)`,
    [ACCOUNT, AHEAD],
  );
}

/** Describes what callers and other contexts rely on. */
async function describeTable() {
  const [indexes, constraints, triggers, grants, columns] = await Promise.all([
    query(`select indexname, replace(indexdef, ' ON ONLY ', ' ON ') as indexdef from pg_indexes
      where schemaname = 'models' and tablename = 'usage' order by 1`),
    query(
      `select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'models.usage'::regclass order by 1`,
    ),
    query(
      `select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'models.usage'::regclass and not tgisinternal order by 1`,
    ),
    query(`select a.grantee::regrole::text, a.privilege_type from pg_class c, aclexplode(c.relacl) a
      where c.oid = 'models.usage'::regclass and a.grantee <> c.relowner order by 1, 2`),
    query(`select attname, atttypid::regtype::text, attnotnull from pg_attribute
      where attrelid = 'models.usage'::regclass and attnum > 0 order by attnum`),
  ]);
  return { indexes, constraints, triggers, grants, columns };
}

/** Returns the files of a table and its indexes: none is written again. */
const listFiles = (table: string) =>
  query(
    `select pg_relation_filenode(oid) as file from pg_class where oid = $1::regclass
     union all select pg_relation_filenode(indexrelid) from pg_index where indrelid = $1::regclass order by 1`,
    [table],
  );

/** Books calls and lists them until it is told to stop, with the same named statements; returns the ids of the calls. */
async function useTable(signal: AbortSignal, onBooked: (id: string) => void): Promise<void> {
  while (!signal.aborted) {
    const row = {
      account_id: ACCOUNT,
      id: newId(),
      occurred_at: new Date(),
      endpoint: 'responses',
      status: 'ok',
      price_source: 'catalogue',
      usage_source: 'assumed',
      duration_ms: 5,
      stream: true,
    };
    for (const usage_source of ['assumed', 'provider', 'provider'])
      await app.pool.query({ name: 'book', text: BOOK, values: [JSON.stringify([{ ...row, usage_source }])] });
    const listed = await app.pool.query({ name: 'list', text: LIST, values: [ACCOUNT] });
    if (listed.rowCount !== 50) throw new Error(`${listed.rowCount} rows were listed`);
    onBooked(row.id);
  }
}

describe('the step that partitions the usage rows (ADR 0088, PROC-17)', () => {
  it('keeps rows and files while calls are booked and listed, and can be repeated after it was aborted', async () => {
    const before = await describeTable();
    const files = await listFiles('models.usage');
    const booked: string[] = [];
    const stop = new AbortController();
    const users = [1, 2, 3].map(() => useTable(stop.signal, (id) => void booked.push(id)));
    const moreBooked = async (): Promise<void> => {
      const known = booked.length;
      await Promise.race([eventually(() => booked.length > known + 10), Promise.all(users)]);
    };
    await moreBooked();
    const { '0008_bound_usage': bound, '0010_partition_usage': partition } = modelsMigrations.migrations;
    const aborted = owner.db.transaction().execute(async (trx) => {
      await bound?.up(trx);
      throw new Error('killed');
    });
    await expect(aborted).rejects.toThrow('killed');
    await moreBooked();
    // The step reads a bound that is not validated yet as missing, and leaves the table as it is.
    await owner.db.transaction().execute((trx) => bound?.up(trx) ?? Promise.resolve());
    await expect(owner.db.transaction().execute((trx) => partition?.up(trx) ?? Promise.resolve())).rejects.toThrow();
    await moreBooked();
    await query('alter table models.usage drop constraint usage_bound_check');
    const applied = await migratePatiently(owner.db, modelsMigrations, { log: () => undefined, pauseMs: 10 });
    expect(applied).toEqual([
      '0008_bound_usage',
      '0009_validate_usage_bound',
      '0010_partition_usage',
      '0011_note_caller_change',
    ]);
    await moreBooked();
    stop.abort();
    await Promise.all(users);

    expect(await describeTable()).toEqual(before);
    const parts = await query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'models.usage'::regclass order by 1`,
    );
    expect(parts.map(({ name }) => name)).toEqual([
      'models.usage_default',
      expect.stringMatching(/^models\.usage_until_20\d{4}01$/),
    ]);
    expect(await listFiles(parts[1]?.name ?? '')).toEqual(files);
    expect(await query('select id from only models.usage_default')).toEqual([{ id: AHEAD }]);
    expect(await query(`select to_regclass('models.usage_ahead') as waiting`)).toEqual([{ waiting: null }]);
    const [counted] = await query<{ rows: number; ids: number; booked: number }>(
      `select count(*)::int as rows, count(distinct id)::int as ids,
         (count(*) filter (where id = any ($1) and usage_source = 'provider'))::int as booked from models.usage`,
      [booked],
    );
    expect(counted).toEqual({
      rows: STORED + 1 + booked.length,
      ids: STORED + 1 + booked.length,
      booked: booked.length,
    });
  });

  it('leaves the facts of charts complete: each call is counted once, each correction with its opposite', async () => {
    const [facts] = await query<{ calls: number }>(
      `select sum(count)::int as calls from stats.pending where source = 'model_call' and account_id = $1`,
      [ACCOUNT],
    );
    const [stored] = await query<{ rows: number }>('select count(*)::int as rows from models.usage');
    expect(facts?.calls).toBe(stored?.rows);
  });

  it('gives the apps no access to single partitions', async () => {
    const found = await query(
      `select c.relname from pg_class c join pg_inherits i on i.inhrelid = c.oid
       where i.inhparent = 'models.usage'::regclass and has_table_privilege('steward_api_gateway', c.oid, 'select, insert, update, delete')`,
    );
    expect(found).toEqual([]);
  });
});
