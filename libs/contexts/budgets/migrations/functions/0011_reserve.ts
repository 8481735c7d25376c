/**
 * Reserves the maximum cost of calls in every matching budget and in the limits of their keys, or returns the budget or
 * limit that does not have enough left.
 */
export const RESERVE = `
CREATE FUNCTION budgets.reserve(account uuid, requests jsonb, alive_until timestamp with time zone, at timestamp with time zone) RETURNS TABLE(request_id uuid, reserved_at timestamp with time zone, refused_by uuid, refused_limit text, is_lease_blocked boolean)
    LANGUAGE plpgsql
    AS $$
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
      cross join lateral budgets.start_of(b.period, reserved_at, b.time_zone) as s (start)
      left join budgets.bucket k on k.account_id = b.account_id and k.budget_id = b.id and k.period_start = s.start
      where b.account_id = account and (b.scope = 'account' or b.scope_id in (
        select c.id from jsonb_to_recordset(requests) as r (api_key_id text, managed_agent_id text, flow_id text) left join budgets.merged_agent m on m.account_id = account and m.agent_id = r.managed_agent_id
        cross join lateral (values (r.api_key_id), (coalesce(m.merged_into, r.managed_agent_id)), (r.flow_id)) as c (id)
      ));
      for request in
        select r.*, coalesce(m.merged_into, r.managed_agent_id) as agent_by_now, e.value ->> 'amount' is null as is_unpriced, coalesce((e.value ->> 'is_unsized')::boolean, false) as is_unsized, coalesce(e.value -> 'key_limits', '[]') as key_limits, (e.value ->> 'replaces')::uuid as replaces
        from jsonb_array_elements(requests) with ordinality as e (value, position)
        cross join lateral jsonb_populate_record(null::budgets.reservation, e.value) r left join budgets.merged_agent m on m.account_id = account and m.agent_id = r.managed_agent_id
        order by e.position
      loop
        request_id := request.id; request.managed_agent_id := request.agent_by_now;
        refused_by := null;
        is_lease_blocked := false;
        mine := '{}';
        former := null;
        if request.replaces is not null then
          -- What is being ended has its room back in a moment; whoever ends it waits for the books.
          select * into former from budgets.reservation r
          where r.account_id = account and r.id = request.replaces and r.state = 'held' for key share skip locked;
        end if;
        refused_limit := case when former.id is null then budgets.find_reached_limit(account, request.key_limits, reserved_at) end;
        if refused_limit is not null then
          return next;
          continue;
        end if;
        for place in 1 .. coalesce(cardinality(known), 0) loop
          continue when not budgets.counts(known[place].scope, known[place].scope_id, known[place].model_alias,
            request.api_key_id, request.managed_agent_id, request.flow_id, request.model_alias);
          freed := case when former.period_starts[array_position(former.budget_ids, known[place].id)] = starts[place]
            then former.amount else 0 end;
          if known[place].is_hard and known[place].is_enabled
            and (request.is_unpriced or request.is_unsized and coalesce(known[place].refuses_unsized, false) or used[place] - freed + request.amount > known[place].limit_amount)
          then
            refused_by := known[place].id;
            -- What processes hold ahead of calls comes back in a moment.
            is_lease_blocked := not request.is_unpriced
              and not (request.is_unsized and coalesce(known[place].refuses_unsized, false))
              and used[place] - freed + request.amount - budgets.leased(account, known[place].id, starts[place])
                <= known[place].limit_amount;
            exit;
          end if;
          mine := mine || place;
        end loop;
        return next;
        continue when refused_by is not null;
        if former.id is not null then
          delete from budgets.reservation r where r.account_id = account and r.id = former.id;
          update budgets.key_window w set held_tokens = w.held_tokens - former.tokens
          from unnest(former.limited_keys) as k (key_id) cross join (values ('minute'), ('day')) as s (span)
          where w.account_id = account and w.api_key_id = k.key_id and w.span = s.span
            and w.started_at = date_trunc(s.span, former.occurred_at, 'UTC');
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
          model_alias, budget_ids, period_starts, call, alive_until, tokens, limited_keys)
        values (account, request.id, 'held', coalesce(request.amount, 0), reserved_at, request.api_key_id,
          request.managed_agent_id, request.flow_id, request.model_alias,
          array(select known[m].id from unnest(mine) with ordinality as o (m, position) order by o.position),
          array(select starts[m] from unnest(mine) with ordinality as o (m, position) order by o.position),
          request.call, reserve.alive_until, request.tokens,
          array(select l.value ->> 'api_key_id' from jsonb_array_elements(request.key_limits) l));
        insert into budgets.key_window as w (account_id, api_key_id, span, started_at, calls, tokens, held_tokens)
        select account, l.value ->> 'api_key_id', s.span, date_trunc(s.span, reserved_at, 'UTC'),
          case when former.id is null then 1 else 0 end, 0, request.tokens
        from jsonb_array_elements(request.key_limits) l cross join (values ('minute'), ('day')) as s (span)
        on conflict on constraint key_window_pkey do update set
          calls = w.calls + excluded.calls, held_tokens = w.held_tokens + excluded.held_tokens;
      end loop;
      insert into budgets.bucket as k (account_id, budget_id, period_start, spent, reserved)
      select account, known[m].id, starts[m], 0, moved[m] from generate_subscripts(known, 1) m where moved[m] <> 0
      on conflict on constraint bucket_pkey do update set reserved = k.reserved + excluded.reserved;
    end $$`;
