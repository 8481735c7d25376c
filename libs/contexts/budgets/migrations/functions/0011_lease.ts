/**
 * Changes leases of one process, and creates separate reservations for calls that were granted from them. A lease is a
 * reservation in advance of calls: it may take at most a twentieth of what remains of a hard budget, so that an unused
 * lease blocks no call. Returns for each lease by how much it grew and by how much it should shrink (`excess`); `state`
 * is the state of a lease that the process already had.
 */
export const LEASE = `
CREATE FUNCTION budgets.lease(account uuid, leases jsonb, calls jsonb, alive_until timestamp with time zone, at timestamp with time zone) RETURNS TABLE(lease_id uuid, state text, added numeric, excess numeric, reserved_at timestamp with time zone, valid_until timestamp with time zone, revision bigint)
    LANGUAGE plpgsql
    AS $$
    declare
      request record;
      former budgets.reservation;
      ids uuid[];
      starts timestamptz[];
      room numeric;
    begin
      perform set_config('synchronous_commit', 'off', true), budgets.lock_books(account);
      reserved_at := date_trunc('milliseconds', coalesce(at, clock_timestamp()));
      revision := coalesce((select v.revision from budgets.revision v where v.account_id = account), 0);
      with call as materialized (
        select c.* from jsonb_to_recordset(calls)
          as c (id uuid, lease_id uuid, amount numeric, occurred_at timestamptz, tokens bigint, call jsonb)
      ), recorded as (
        insert into budgets.reservation (account_id, id, state, amount, occurred_at, api_key_id, managed_agent_id, flow_id,
          model_alias, budget_ids, period_starts, call, alive_until, tokens, limited_keys)
        select account, c.id, 'held', c.amount, c.occurred_at, r.api_key_id, r.managed_agent_id, r.flow_id, r.model_alias,
          r.budget_ids, r.period_starts, c.call, lease.alive_until, c.tokens, '{}'
        from call c
        join budgets.reservation r on r.account_id = account and r.id = c.lease_id and r.is_lease and r.state = 'held'
        on conflict do nothing returning reservation.id, reservation.amount
      )
      update budgets.reservation r set amount = r.amount - m.amount
      from (select c.lease_id, sum(d.amount) as amount from recorded d join call c on c.id = d.id group by 1) m
      where r.account_id = account and r.id = m.lease_id;
      for request in
        select r.*, coalesce(m.merged_into, r.managed_agent_id) as agent_by_now, (e.value ->> 'add')::numeric as add,
          (e.value ->> 'unit')::numeric as unit, (e.value ->> 'is_known')::boolean as is_known,
          coalesce((e.value ->> 'closes')::boolean, false) as closes
        from jsonb_array_elements(leases) with ordinality as e (value, position)
        cross join lateral jsonb_populate_record(null::budgets.reservation, e.value) r
        left join budgets.merged_agent m on m.account_id = account and m.agent_id = r.managed_agent_id
        order by e.position
      loop
        lease_id := request.id; state := 'held'; added := 0; excess := 0; valid_until := null; former := null;
        select * into former from budgets.reservation r where r.account_id = account and r.id = request.id for update;
        if request.is_known and (former.id is null or former.state <> 'held') then
          state := coalesce(former.state, 'gone');
          return next;
          continue;
        end if;
        if former.id is null then
          select coalesce(array_agg(b.id order by b.id desc), '{}'), coalesce(array_agg(s.start order by b.id desc), '{}')
          into ids, starts
          from budgets.budget b cross join lateral budgets.start_of(b.period, reserved_at, b.time_zone) as s (start)
          where b.account_id = account and budgets.counts(b.scope, b.scope_id, b.model_alias, request.api_key_id,
            request.agent_by_now, request.flow_id, request.model_alias);
        else
          ids := former.budget_ids;
          starts := former.period_starts;
        end if;
        select min(b.limit_amount - coalesce(k.spent + k.reserved, 0)) filter (where b.is_hard and b.is_enabled),
          min(budgets.end_of(b.period, h.period_start, b.time_zone))
        into room, valid_until
        from unnest(ids, starts) as h (budget_id, period_start)
        join budgets.budget b on b.account_id = account and b.id = h.budget_id
        left join budgets.bucket k on k.account_id = account and k.budget_id = b.id and k.period_start = h.period_start;
        if request.closes then
          added := -coalesce(former.amount, 0);
        elsif request.add > 0 then
          added := least(request.add, coalesce((room + coalesce(former.amount, 0)) / 20 - coalesce(former.amount, 0), request.add));
          added := case when added < request.unit then 0 else trunc(added, 12) end;
        else
          added := greatest(request.add, -coalesce(former.amount, 0));
        end if;
        excess := coalesce(greatest(coalesce(former.amount, 0) + added - (room + coalesce(former.amount, 0)) / 20, 0), 0);
        if request.closes or former.id is null and added = 0 then
          delete from budgets.reservation r where r.account_id = account and r.id = request.id;
          state := 'gone';
        elsif former.id is null then
          insert into budgets.reservation (account_id, id, state, amount, occurred_at, api_key_id, managed_agent_id, flow_id,
            model_alias, budget_ids, period_starts, call, alive_until, tokens, limited_keys, is_lease)
          values (account, request.id, 'held', added, reserved_at, request.api_key_id, request.agent_by_now, request.flow_id,
            request.model_alias, ids, starts, request.call, lease.alive_until, 0, '{}', true);
        else
          update budgets.reservation r set amount = r.amount + added, alive_until = greatest(r.alive_until, lease.alive_until)
          where r.account_id = account and r.id = request.id;
        end if;
        insert into budgets.bucket as k (account_id, budget_id, period_start, spent, reserved)
        select account, b.id, h.period_start, 0, added from unnest(ids, starts) as h (budget_id, period_start)
        join budgets.budget b on b.account_id = account and b.id = h.budget_id where added <> 0
        on conflict on constraint bucket_pkey do update set reserved = k.reserved + excluded.reserved;
        return next;
      end loop;
    end $$`;
