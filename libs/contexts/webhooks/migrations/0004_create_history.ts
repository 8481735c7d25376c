import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Finished deliveries and attempts, partitioned by day (UTC): old data is dropped with its partition, never deleted row
 * by row. The default partitions take rows of days without a partition, so late maintenance refuses nothing.
 */
export const createHistory: Migration = {
  async up(db) {
    await sql`
      create table webhooks.delivery_done (
        id uuid not null,
        account_id uuid not null,
        endpoint_id uuid not null,
        event_id uuid not null,
        event_type text not null,
        generation integer not null,
        status text not null check (status in ('delivered', 'dead', 'cancelled')),
        attempt_count smallint not null,
        response_status integer,
        last_error text,
        occurred_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        finished_at timestamptz(3) not null default now()
      ) partition by range (finished_at)
    `.execute(db);
    await sql`create index delivery_done_id on webhooks.delivery_done (id)`.execute(db);
    await sql`create index delivery_done_account on webhooks.delivery_done (account_id, id)`.execute(db);
    await sql`create index delivery_done_endpoint on webhooks.delivery_done (endpoint_id, id)`.execute(db);
    await sql`create index delivery_done_event on webhooks.delivery_done (event_id, endpoint_id)`.execute(db);
    await sql`
      create index delivery_done_dead on webhooks.delivery_done (account_id, id) where status = 'dead'
    `.execute(db);
    await sql`create table webhooks.delivery_done_default partition of webhooks.delivery_done default`.execute(db);

    await sql`
      create table webhooks.attempt (
        delivery_id uuid not null,
        account_id uuid not null,
        number smallint not null,
        started_at timestamptz(3) not null,
        duration_ms integer not null,
        dns_ms integer,
        connect_ms integer,
        tls_ms integer,
        first_byte_ms integer,
        response_status integer,
        error text,
        error_class text,
        remote_address text
      ) partition by range (started_at)
    `.execute(db);
    await sql`create index attempt_delivery on webhooks.attempt (delivery_id, number)`.execute(db);
    await sql`create table webhooks.attempt_default partition of webhooks.attempt default`.execute(db);

    await createMaintenance(db);
    await sql`select webhooks.maintain_partitions(14, 7)`.execute(db);
  },
};

/**
 * Creates the partitions of today and the days ahead and drops those past retention. Runs as the owner of the tables,
 * because the worker's role may not alter them. Rows in the default partition are moved into the partition of their
 * day. If two processes run it at once, the second finds the lock taken and leaves. Returns the partitions created and
 * dropped.
 */
async function createMaintenance(db: Parameters<Migration['up']>[0]): Promise<void> {
  await sql`
    create function webhooks.maintain_partitions(retention_days integer, days_ahead integer)
    returns table (action text, partition_name text)
    language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '3s' as $$
    declare
      parent text;
      key_column text;
      first_day date := (now() at time zone 'utc')::date;
      day date;
      child record;
      from_time timestamptz;
      to_time timestamptz;
    begin
      if retention_days < 1 or days_ahead < 0 or days_ahead > 60 then
        raise exception 'maintain_partitions: retention_days % or days_ahead % out of range', retention_days, days_ahead;
      end if;
      if not pg_try_advisory_xact_lock(7383829002) then return; end if;
      foreach parent in array array['delivery_done', 'attempt'] loop
        key_column := case parent when 'attempt' then 'started_at' else 'finished_at' end;
        for day in select first_day + n from generate_series(0, days_ahead) n loop
          partition_name := parent || '_' || to_char(day, 'YYYYMMDD');
          if to_regclass('webhooks.' || partition_name) is not null then continue; end if;
          from_time := day::timestamp at time zone 'utc';
          to_time := (day + 1)::timestamp at time zone 'utc';
          execute format('create table webhooks.%I (like webhooks.%I including defaults including constraints)', partition_name, parent);
          execute format('with moved as (delete from webhooks.%I where %I >= %L and %I < %L returning *) insert into webhooks.%I select * from moved',
            parent || '_default', key_column, from_time, key_column, to_time, partition_name);
          execute format('alter table webhooks.%I attach partition webhooks.%I for values from (%L) to (%L)',
            parent, partition_name, from_time, to_time);
          action := 'created';
          return next;
        end loop;
        -- Attempts are kept a day longer: those of a delivery that finished on the first kept day began before it.
        for child in
          select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = ('webhooks.' || parent)::regclass and c.relname ~ '_[0-9]{8}$'
            and to_date(right(c.relname, 8), 'YYYYMMDD')
              < first_day - retention_days - (case parent when 'attempt' then 1 else 0 end)
        loop
          execute format('drop table webhooks.%I', child.relname);
          action := 'dropped';
          partition_name := child.relname;
          return next;
        end loop;
        execute format('delete from webhooks.%I where %I < %L', parent || '_default', key_column,
          (first_day - retention_days - 1)::timestamp at time zone 'utc');
      end loop;
    end
    $$
  `.execute(db);
  await sql`revoke all on function webhooks.maintain_partitions(integer, integer) from public`.execute(db);
}
