import { judgeSteps, type JudgedStep } from './judge-steps.ts';

const RELEASED = { webhooks: '0019_seal_addresses' };
const step = (statement: string, rest: Partial<JudgedStep> = {}): JudgedStep => ({
  schema: 'webhooks',
  name: '0020_add_thing',
  step: {},
  statements: [statement],
  ...rest,
});
const online = { step: { isOnline: true } };
const contract = { name: '0020_contract_thing', step: { removesUnusedSince: 'webhooks/0019_seal_addresses' } };

describe('the migration rules while apps are running', () => {
  it.each([
    ['alter table webhooks.event add column note text', {}],
    ["alter table webhooks.event add column kind text not null default 'x'", {}],
    ['alter table webhooks.event add column at timestamptz not null default now()', {}],
    ['alter table webhooks.event add constraint a check (id is not null) not valid', {}],
    ['alter table webhooks.event validate constraint a', online],
    ['alter table webhooks.event drop constraint a, alter column url drop not null', {}],
    ['drop index webhooks.event_at', {}],
    ['create index concurrently event_at on webhooks.event (at)', online],
    ['alter table webhooks.event add constraint a unique using index event_at', {}],
    ['update webhooks.event set a = 1 where id in (select id from webhooks.event where a is null limit 1000)', online],
    ["update gateway.role set permissions = permissions || '{x}'", {}],
    [
      'create or replace function webhooks.f() returns int as $$ update webhooks.event set a = 1; select 1 $$ language sql',
      {},
    ],
    ['-- drop table webhooks.event\nselect 1', {}],
    ['grant update (note) on webhooks.event to gateway', {}],
    ['alter table webhooks.event drop column note', contract],
    ['drop function webhooks.f', contract],
    ['alter table webhooks.event alter column note set not null', contract],
  ] as [string, Partial<JudgedStep>][])('allow: %s', (statement, rest) => {
    expect(judgeSteps([step(statement, rest)], RELEASED)).toEqual([]);
  });

  it.each([
    ['drop table webhooks.event', {}, /drops an object/],
    ['alter table webhooks.event drop column note', {}, /drops a column/],
    ['alter table webhooks.event rename column a to b', {}, /renames/],
    ['alter table webhooks.event rename to events', {}, /renames/],
    ['alter table webhooks.event alter column a type bigint', {}, /changes the type/],
    ['alter table webhooks.event alter column a set data type bigint', {}, /changes the type/],
    ['alter table webhooks.event alter column a set not null', {}, /requires a value/],
    ['revoke select on webhooks.event from gateway', {}, /revokes a permission/],
    ['revoke all on function webhooks.f(uuid) from public', {}, /revokes a permission/],
    ['create index event_at on webhooks.event (at)', {}, /createIndexOnline/],
    ['create unique index event_at on webhooks.event (at)', {}, /createIndexOnline/],
    ['create index concurrently event_at on webhooks.event (at)', {}, /make the step online/],
    ['alter table webhooks.event add constraint a check (id is not null)', {}, /as not valid here/],
    ['alter table webhooks.event add constraint a foreign key (b) references webhooks.b (id)', {}, /as not valid here/],
    ['alter table webhooks.event add column b uuid references webhooks.b (id)', {}, /foreign key as not valid/],
    ['alter table webhooks.event add constraint a unique (b)', {}, /using index/],
    ['alter table webhooks.event add primary key (b)', {}, /using index/],
    ['alter table webhooks.event add column a text not null', {}, /does not fill/],
    ['alter table webhooks.event add column a uuid default gen_random_uuid()', {}, /rewrites/],
    ['alter table webhooks.event add column a int generated always as (b + 1) stored', {}, /rewrites/],
    ['alter table webhooks.event validate constraint a', {}, /make the step online/],
    ['update webhooks.event set a = 1', {}, /batches/],
    ['update webhooks.event set a = 1', online, /batches/],
    ['delete from webhooks.event where a is null', {}, /batches/],
    ['with a as (select 1) update webhooks.event set a = 1', {}, /batches/],
    ['lock table webhooks.event in share mode', {}, /locks a table/],
    [
      'alter table webhooks.event drop column note',
      { ...contract, step: {} },
      /removesUnusedSince to the step since which/,
    ],
    [
      'alter table webhooks.event drop column note',
      { ...contract, step: { removesUnusedSince: 'webhooks/0020_add_thing' } },
      /in the same version as webhooks\/0020_add_thing/,
    ],
    [
      'alter table webhooks.event drop column note',
      { ...contract, step: { removesUnusedSince: 'nothing/0001_create' } },
      /not released/,
    ],
  ] as [string, Partial<JudgedStep>, RegExp][])('refuse: %s', (statement, rest, reason) => {
    const [broken, ...more] = judgeSteps([step(statement, rest)], RELEASED);
    expect(broken).toMatch(reason);
    expect(broken).toMatch(/^webhooks\/0020_/);
    expect(more).toEqual([]);
  });

  const trigger = 'create trigger count after insert on webhooks.event for each row execute function stats.count()';
  const copy = 'insert into stats.day (day) select occurred_at::date from webhooks.event group by 1';

  it.each([
    ['create trigger', trigger],
    ['create constraint trigger', trigger.replace('create', 'create constraint')],
    ['alter table', 'alter table webhooks.event add column note text'],
  ])('refuse to read a table with rows in the same transaction as: %s', (_, lock) => {
    expect(judgeSteps([step('', { statements: [lock, copy] })], RELEASED)).toEqual([
      expect.stringMatching(/^webhooks\/0020_add_thing: reads webhooks.event while the writers of webhooks.event wait/),
    ]);
    expect(judgeSteps([step('', { statements: [lock, copy], ...online })], RELEASED)).toEqual([]);
    expect(judgeSteps([step(lock), step(copy, { name: '0021_fill' })], RELEASED)).toEqual([]);
    expect(judgeSteps([step('', { statements: [copy, lock] })], RELEASED)).toEqual([]);
  });

  it('allow a trigger if its rows are created by the same step', () => {
    const statements = [trigger, 'create table stats.day (day date)', "insert into stats.day select date '2026-01-01'"];
    expect(judgeSteps([step('', { statements })], RELEASED)).toEqual([]);
  });

  it('do not apply to a table created by the same version, because nothing uses it yet', () => {
    const statements = [
      'create table webhooks.thing (id uuid)',
      'create index thing_id on webhooks.thing (id)',
      'alter table webhooks.thing add constraint a check (id is not null)',
      'alter table webhooks.thing alter column id set not null',
      'update webhooks.thing set id = null',
    ];
    expect(judgeSteps([step('', { statements })], RELEASED)).toEqual([]);
    expect(judgeSteps([step('', { statements: statements.slice(1, 2) })], RELEASED)).toHaveLength(1);
  });

  it('allow revoking public access to a function created by the same version', () => {
    const revoke = 'revoke all on function webhooks.f(uuid) from public';
    const create = 'create function webhooks.f(id uuid) returns int language sql as $$ select 1 $$';
    expect(judgeSteps([step('', { statements: [create, revoke] })], RELEASED)).toEqual([]);
    const replace = create.replace('create', 'create or replace');
    expect(judgeSteps([step('', { statements: [replace, revoke] })], RELEASED)).toHaveLength(1);
  });
});
