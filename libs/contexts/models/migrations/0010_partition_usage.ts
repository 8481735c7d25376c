import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Partitions the usage rows by their ids, which ascend with time, so that old rows are dropped instead of deleted (ADR
 * 0088). The table of before is the first partition: neither its rows are copied nor its indexes built again. The new
 * table has the same name, columns, constraints, indexes, triggers and grants, so that apps of the previous version
 * continue to work. The default partition takes rows with ids of a clock that is far ahead.
 */
export const partitionUsage: Migration = {
  async up(db) {
    await partition(db);
    await createEnds(db);
    await createAdding(db);
    await createDropping(db);
  },
};

/** Everything happens under one lock, which is held for milliseconds. */
async function partition(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      bound uuid;
      former text;
      indexes text[];
      triggers text[];
      own record;
      statement text;
    begin
      lock table models.usage in access exclusive mode;
      select substring(pg_get_constraintdef(c.oid) from '''([0-9a-f-]{36})''')::uuid into strict bound
        from pg_constraint c where c.conrelid = 'models.usage'::regclass and c.conname = 'usage_bound_check' and c.convalidated;
      former := 'usage_until_' || to_char(to_timestamp(('x' || left(replace(bound::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
        at time zone 'UTC', 'YYYYMMDD');
      select array_agg(pg_get_indexdef(i.indexrelid)) into indexes
        from pg_index i where i.indrelid = 'models.usage'::regclass and not i.indisprimary;
      select array_agg(pg_get_triggerdef(t.oid)) into triggers
        from pg_trigger t where t.tgrelid = 'models.usage'::regclass and not t.tgisinternal;

      execute format('alter table models.usage rename to %I', former);
      for own in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = ('models.' || former)::regclass
      loop
        execute format('alter index models.%I rename to %I', own.relname, former || substr(own.relname, length('usage') + 1));
      end loop;
      for own in select t.tgname from pg_trigger t where t.tgrelid = ('models.' || former)::regclass and not t.tgisinternal loop
        execute format('drop trigger %I on models.%I', own.tgname, former);
      end loop;

      execute format('create table models.usage (like models.%I including defaults including constraints) partition by range (id)', former);
      alter table models.usage drop constraint usage_bound_check;
      alter table models.usage add constraint usage_pkey primary key (account_id, id);
      foreach statement in array coalesce(indexes, '{}') || coalesce(triggers, '{}') loop
        execute statement;
      end loop;
      execute format('alter table models.usage attach partition models.%I for values from (minvalue) to (%L)', former, bound);
      execute format('alter table models.%I drop constraint usage_bound_check', former);
      create table models.usage_default partition of models.usage default;
      if to_regclass('models.usage_ahead') is not null then
        insert into models.usage_default select * from models.usage_ahead;
        drop table models.usage_ahead;
      end if;

      for own in
        select a.privilege_type, a.is_grantable, case a.grantee when 0 then 'public' else a.grantee::regrole::text end as grantee
        from pg_class c, aclexplode(c.relacl) a
        where c.oid = ('models.' || former)::regclass and a.grantee <> c.relowner
      loop
        execute format('grant %s on models.usage to %s %s', own.privilege_type, own.grantee,
          case when own.is_grantable then 'with grant option' else '' end);
        execute format('revoke %s on models.%I from %s', own.privilege_type, former, own.grantee);
      end loop;
    end $$
  `.execute(db);
}

/** Creates the list of the partitions with an end, and of the ends as times. */
async function createEnds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function models.usage_partition_ends() returns table (partition_name name, row_estimate bigint, end_id uuid, ends_at timestamptz)
    language sql stable set search_path = pg_catalog, pg_temp as $$
      select p.relname, greatest(p.reltuples, 0)::bigint, p.end_id,
        to_timestamp(('x' || left(replace(p.end_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
      from (
        select c.relname, c.reltuples, substring(pg_get_expr(c.relpartbound, c.oid) from $r$ TO [(]'([0-9a-f-]{36})'[)]$r$)::uuid as end_id
        from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'models.usage'::regclass
      ) p where p.end_id is not null
    $$
  `.execute(db);
  await sql`revoke all on function models.usage_partition_ends() from public`.execute(db);
}

/**
 * Creates the function that adds the partitions of the next two months, each for a number of months, and moves rows into
 * them from the default partition. If that has many rows, because only apps of the previous version have run for months
 * or an old backup was restored, it becomes itself the partition of that time: calls would wait too long for the move.
 * Locks are taken in an order in which nobody waits behind one while it waits for the next. Runs as the owner, since the
 * role of the gateway may not alter tables; does nothing while another process does the same. Returns the names of the
 * new partitions.
 */
async function createAdding(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function models.add_usage_partitions(months integer) returns setof text
    language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
    declare
      start_id uuid;
      starts_at timestamptz;
      stop_id uuid;
      stops_at timestamptz;
      is_late boolean;
      added text;
    begin
      if months is null or months not between 1 and 12 then
        raise exception 'a partition of usage rows is for 1 to 12 months, not for %', months using errcode = 'check_violation';
      end if;
      if not pg_try_advisory_xact_lock(7383829003) then return; end if;
      loop
        select e.end_id, e.ends_at into strict start_id, starts_at
          from models.usage_partition_ends() e order by e.ends_at desc limit 1;
        exit when starts_at >= now() + interval '2 months';
        stops_at := date_trunc('month', now() at time zone 'UTC' + interval '3 months') at time zone 'UTC';
        stop_id := (lpad(to_hex((extract(epoch from stops_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;
        select count(*) > 10000 into is_late
          from (select from models.usage_default where id >= start_id and id < stop_id limit 10001) found;
        added := 'usage_' || to_char(starts_at at time zone 'UTC', 'YYYYMMDD');
        if is_late then
          lock table only models.usage in access exclusive mode;
          lock table models.usage_default in access exclusive mode nowait;
          alter table models.usage detach partition models.usage_default;
          execute format('alter table models.usage_default rename to %I', added);
          create table models.usage_default partition of models.usage default;
          execute format('with others as (delete from models.%I where id < %L or id >= %L returning *)
            insert into models.usage_default select * from others', added, start_id, stop_id);
        else
          stops_at := (starts_at at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC';
          stop_id := (lpad(to_hex((extract(epoch from stops_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;
          lock table only models.usage in share update exclusive mode;
          lock table models.usage_default in access exclusive mode;
          execute format('create table models.%I (like models.usage including defaults including constraints)', added);
          execute format('with moved as (delete from models.usage_default where id >= %L and id < %L returning *)
            insert into models.%I select * from moved', start_id, stop_id, added);
        end if;
        execute format('alter table models.usage attach partition models.%I for values from (%L) to (%L)', added, start_id, stop_id);
        return next added;
      end loop;
    end $$
  `.execute(db);
  await sql`revoke all on function models.add_usage_partitions(integer) from public`.execute(db);
  await sql`grant execute on function models.add_usage_partitions(integer) to steward_api_gateway`.execute(db);
}

/**
 * Creates the function that drops the oldest partition if all its rows are older than the retention: one at a time, so
 * that the table is locked for milliseconds. It does not wait while it holds a lock, so that no statement waits longer
 * than for the first one. A day is added to the retention, for clocks that differ and calls that took
 * long. It refuses a retention that is shorter than a month of any time zone (BUD-7). Returns the partition, if any.
 */
async function createDropping(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function models.drop_usage_partition(retention_days integer) returns table (partition_name text, row_estimate bigint)
    language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
    declare
      oldest record;
    begin
      if retention_days is null or retention_days < 35 then
        raise exception 'the usage rows of the last 35 days stay' using errcode = 'check_violation';
      end if;
      if not pg_try_advisory_xact_lock(7383829003) then return; end if;
      select e.* into oldest from models.usage_partition_ends() e
        where e.ends_at <= now() - make_interval(days => retention_days + 1)
          and exists (select from models.usage_partition_ends() later where later.ends_at > e.ends_at)
        order by e.ends_at limit 1;
      if not found then return; end if;
      lock table only models.usage in access exclusive mode;
      execute format('lock table models.%I, models.usage_default in access exclusive mode nowait', oldest.partition_name);
      execute format('drop table models.%I', oldest.partition_name);
      return query select oldest.partition_name::text, oldest.row_estimate::bigint;
    end $$
  `.execute(db);
  await sql`revoke all on function models.drop_usage_partition(integer) from public`.execute(db);
  await sql`grant execute on function models.drop_usage_partition(integer) to steward_api_gateway`.execute(db);
}
