import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Reserving and settling are one statement each: the ledger of an account is locked only while the server works, not
 * during round trips to a busy process. The statement would see what was committed before it began, even if it waited
 * for the lock: functions that change data take a new snapshot for each of their own statements.
 */
export const moveBooksAtOnce: Migration = {
  async up(db) {
    await sql`
      create function budgets.start_of(period text, at timestamptz) returns timestamptz
      language sql immutable parallel safe as $$
        select case period
          when 'hourly' then date_trunc('hour', at at time zone 'UTC') at time zone 'UTC'
          when 'daily' then date_trunc('day', at at time zone 'UTC') at time zone 'UTC'
          when 'weekly' then date_trunc('week', at at time zone 'UTC') at time zone 'UTC'
          when 'monthly' then date_trunc('month', at at time zone 'UTC') at time zone 'UTC'
          when 'yearly' then date_trunc('year', at at time zone 'UTC') at time zone 'UTC'
          when 'all_time' then to_timestamp(0)
        end
      $$
    `.execute(db);
    await sql`
      create function budgets.counts(
        scope text, scope_id text, only_alias text, api_key_id text, managed_agent_id text, flow_id text, model_alias text
      ) returns boolean language sql immutable parallel safe as $$
        select (only_alias is null or only_alias is not distinct from model_alias) and case scope
          when 'account' then true
          when 'api_key' then scope_id is not distinct from api_key_id
          when 'managed_agent' then scope_id is not distinct from managed_agent_id
          when 'flow' then scope_id is not distinct from flow_id
        end
      $$
    `.execute(db);
    await sql`
      create function budgets.lock_books(account uuid) returns void language sql volatile as $$
        select pg_advisory_xact_lock(hashtextextended('budgets ' || account, 0))
      $$
    `.execute(db);
    await createReserve(db);
    await createSettle(db);
  },
};

/**
 * Takes requests and returns rows of reservations; `replaces` names a call whose reservation is released if this one is
 * granted.
 */
async function createReserve(db: Parameters<NonNullable<Migration['up']>>[0]): Promise<void> {
  await sql`
    create function budgets.reserve(account uuid, requests jsonb, alive_until timestamptz, at timestamptz)
    returns table (request_id uuid, reserved_at timestamptz, refused_by uuid)
    language plpgsql volatile as $$
    declare
      known budgets.budget[];
      starts timestamptz[];
      used numeric[];
      moved numeric[];
      mine integer[];
      request record;
      former budgets.reservation;
      freed numeric;
      place integer;
    begin
      -- A crash of the server may forget what is held, never what is spent.
      perform set_config('synchronous_commit', 'off', true), budgets.lock_books(account);
      reserved_at := date_trunc('milliseconds', coalesce(at, clock_timestamp()));
      select array_agg(b order by b.id desc), array_agg(s.start order by b.id desc),
        array_agg(coalesce(k.spent + k.reserved, 0) order by b.id desc), array_agg(0::numeric)
      into known, starts, used, moved
      from budgets.budget b
      cross join lateral budgets.start_of(b.period, reserved_at) as s (start)
      left join budgets.bucket k on k.account_id = b.account_id and k.budget_id = b.id and k.period_start = s.start
      where b.account_id = account and (b.scope = 'account' or b.scope_id in (
        select c.id from jsonb_to_recordset(requests) as r (api_key_id text, managed_agent_id text, flow_id text)
        cross join lateral (values (r.api_key_id), (r.managed_agent_id), (r.flow_id)) as c (id)
      ));
      for request in
        select r.*, e.value ->> 'amount' is null as is_unpriced, (e.value ->> 'replaces')::uuid as replaces
        from jsonb_array_elements(requests) with ordinality as e (value, position)
        cross join lateral jsonb_populate_record(null::budgets.reservation, e.value) r
        order by e.position
      loop
        request_id := request.id;
        refused_by := null;
        mine := '{}';
        former := null;
        if request.replaces is not null then
          -- What is being ended has its room back in a moment; whoever ends it waits for the books.
          select * into former from budgets.reservation r
          where r.account_id = account and r.id = request.replaces and r.state = 'held' for update skip locked;
        end if;
        for place in 1 .. coalesce(cardinality(known), 0) loop
          continue when not budgets.counts(known[place].scope, known[place].scope_id, known[place].model_alias,
            request.api_key_id, request.managed_agent_id, request.flow_id, request.model_alias);
          freed := case when former.period_starts[array_position(former.budget_ids, known[place].id)] = starts[place]
            then former.amount else 0 end;
          if known[place].is_hard and known[place].is_enabled
            and (request.is_unpriced or used[place] - freed + request.amount > known[place].limit_amount)
          then
            refused_by := known[place].id;
            exit;
          end if;
          mine := mine || place;
        end loop;
        return next;
        continue when refused_by is not null;
        if former.id is not null then
          delete from budgets.reservation r where r.account_id = account and r.id = former.id;
          for place in 1 .. coalesce(cardinality(known), 0) loop
            if former.period_starts[array_position(former.budget_ids, known[place].id)] = starts[place] then
              used[place] := used[place] - former.amount;
            end if;
          end loop;
          update budgets.bucket k set reserved = k.reserved - former.amount
          from unnest(former.budget_ids, former.period_starts) as h (budget_id, period_start)
          where k.account_id = account and k.budget_id = h.budget_id and k.period_start = h.period_start;
        end if;
        foreach place in array mine loop
          used[place] := used[place] + coalesce(request.amount, 0);
          moved[place] := moved[place] + coalesce(request.amount, 0);
        end loop;
        insert into budgets.reservation (account_id, id, state, amount, occurred_at, api_key_id, managed_agent_id, flow_id,
          model_alias, budget_ids, period_starts, call, alive_until)
        values (account, request.id, 'held', coalesce(request.amount, 0), reserved_at, request.api_key_id,
          request.managed_agent_id, request.flow_id, request.model_alias,
          array(select known[m].id from unnest(mine) with ordinality as o (m, position) order by o.position),
          array(select starts[m] from unnest(mine) with ordinality as o (m, position) order by o.position),
          request.call, reserve.alive_until);
      end loop;
      insert into budgets.bucket as k (account_id, budget_id, period_start, spent, reserved)
      select account, known[m].id, starts[m], 0, moved[m] from generate_subscripts(known, 1) m where moved[m] <> 0
      on conflict on constraint bucket_pkey do update set reserved = k.reserved + excluded.reserved;
    end $$
  `.execute(db);
}

/**
 * Removes reservations and adds costs; returns buckets that reached a threshold without an alert so far. If a
 * settlement does not state whether its call is in the ledger, the call is considered to be in it, unless its usage row
 * was written just now. If alerts are not allowed, reaching such a threshold makes the whole statement fail.
 */
async function createSettle(db: Parameters<NonNullable<Migration['up']>>[0]): Promise<void> {
  await sql`
    create function budgets.settle(account uuid, settlements jsonb, written uuid[], may_tell boolean)
    returns table (reached_id uuid, reached_start timestamptz, reached_spent numeric)
    language plpgsql volatile as $$
    begin
      perform budgets.lock_books(account);
      return query
      with settlement as materialized (
        select s.*, coalesce(s.is_booked, s.id <> all (written)) as has_books from jsonb_to_recordset(settlements) as s (
          id uuid, occurred_at timestamptz, api_key_id text, managed_agent_id text, flow_id text, model_alias text,
          cost numeric, is_booked boolean)
      ), taken as materialized (
        delete from budgets.reservation r using settlement s where r.account_id = account and r.id = s.id
        returning r.*, s.has_books
      ), spending as (
        select s.occurred_at, s.api_key_id, s.managed_agent_id, s.flow_id, s.model_alias, s.cost as amount
        from settlement s where not s.has_books
        union all
        -- What was assumed has a usage row, which stays when nothing better is written.
        select t.occurred_at, t.api_key_id, t.managed_agent_id, t.flow_id, t.model_alias, -t.amount
        from taken t where t.state = 'assumed' and not t.has_books
      ), movement as materialized (
        select m.budget_id, m.period_start, sum(m.spent) as spent, sum(m.reserved) as reserved from (
          select b.id, budgets.start_of(b.period, p.occurred_at), p.amount, 0
          from spending p
          join budgets.budget b on b.account_id = account and budgets.counts(b.scope, b.scope_id, b.model_alias,
            p.api_key_id, p.managed_agent_id, p.flow_id, p.model_alias)
          union all
          -- Budgets that are no more have no books.
          select b.id, h.period_start, 0, -t.amount
          from taken t
          cross join lateral unnest(t.budget_ids, t.period_starts) as h (budget_id, period_start)
          join budgets.budget b on b.account_id = account and b.id = h.budget_id
          where t.state = 'held'
        ) m (budget_id, period_start, spent, reserved) group by m.budget_id, m.period_start
      ), moved as (
        insert into budgets.bucket as k (account_id, budget_id, period_start, spent, reserved)
        select account, m.budget_id, m.period_start, m.spent, m.reserved from movement m
        where m.spent <> 0 or m.reserved <> 0
        on conflict on constraint bucket_pkey do update set
          spent = k.spent + excluded.spent, reserved = k.reserved + excluded.reserved
        returning k.budget_id, k.period_start, k.spent
      )
      select b.id, k.period_start, k.spent
      from moved k
      join movement m on m.budget_id = k.budget_id and m.period_start = k.period_start and m.spent > 0
      join budgets.budget b on b.account_id = account and b.id = k.budget_id and b.is_enabled
      where exists (
        select from (
          select 'threshold', t.percent from unnest(b.thresholds_percent) as t (percent)
          union all
          select 'exceeded', 100 where b.is_hard
        ) as mark (kind, percent)
        where k.spent * 100 >= b.limit_amount * mark.percent and not exists (
          select from budgets.crossing c where c.account_id = account and c.budget_id = b.id
            and c.period_start = k.period_start and c.kind = mark.kind and c.threshold_percent = mark.percent
        )
      );
      if found and not may_tell then
        raise exception 'a limit was crossed that is to be told of' using errcode = 'BU001';
      end if;
    end $$
  `.execute(db);
}
