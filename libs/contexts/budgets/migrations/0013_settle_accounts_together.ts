import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Settles calls of several accounts, whose ledgers the transaction has locked, with one query: `budgets.settle` runs one
 * per account. The settings prevent plans that read whole tables, since the planner overestimates the number of calls.
 */
export const settleAccountsTogether: Migration = {
  async up(db) {
    await sql`
    create function budgets.settle_locked(accounts jsonb, written uuid[]) returns void language plpgsql
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      is_reached boolean;
    begin
      with settlement as materialized (
        select a.account_id, s.*, coalesce(s.is_booked, s.id <> all (written)) as has_books
        from jsonb_to_recordset(accounts) as a (account_id uuid, settlements jsonb)
        cross join lateral jsonb_to_recordset(a.settlements) as s (
          id uuid, occurred_at timestamptz, api_key_id text, managed_agent_id text, flow_id text, model_alias text,
          cost numeric, is_booked boolean, tokens bigint, lease_id uuid, leased numeric)
      ), taken as materialized (
        delete from budgets.reservation r using settlement s where r.account_id = s.account_id and r.id = s.id
        returning r.*, s.has_books, coalesce(s.tokens, 0) as taken_tokens
      ), returned as (
        -- Of calls that ended before they had a reservation of their own.
        update budgets.reservation r set amount = r.amount - l.amount
        from (
          select s.account_id, s.lease_id, sum(s.leased) as amount from settlement s
          where not s.has_books and s.lease_id is not null group by 1, 2
        ) l
        where r.account_id = l.account_id and r.id = l.lease_id and r.is_lease and r.state = 'held'
        returning r.account_id, r.budget_ids, r.period_starts, l.amount
      ), counted as (
        update budgets.key_window w set held_tokens = w.held_tokens - c.held, tokens = w.tokens + c.taken
        from (
          select t.account_id, k.key_id, s.span, date_trunc(s.span, t.occurred_at, 'UTC') as started_at,
            sum(t.tokens) as held, sum(t.taken_tokens) as taken
          from taken t cross join lateral unnest(t.limited_keys) as k (key_id) cross join (values ('minute'), ('day')) as s (span)
          where t.state = 'held' group by 1, 2, 3, 4
        ) c
        where w.account_id = c.account_id and w.api_key_id = c.key_id and w.span = c.span and w.started_at = c.started_at
      ), spending as (
        select s.account_id, s.occurred_at, s.api_key_id, coalesce(m.merged_into, s.managed_agent_id) as managed_agent_id,
          s.flow_id, s.model_alias, s.cost as amount
        from settlement s
        left join budgets.merged_agent m on m.account_id = s.account_id and m.agent_id = s.managed_agent_id
        where not s.has_books
        union all
        -- What was assumed has a usage row, which stays when nothing better is written.
        select t.account_id, t.occurred_at, t.api_key_id, coalesce(m.merged_into, t.managed_agent_id), t.flow_id,
          t.model_alias, -t.amount
        from taken t left join budgets.merged_agent m on m.account_id = t.account_id and m.agent_id = t.managed_agent_id
        where t.state = 'assumed' and not t.has_books
      ), movement as materialized (
        select m.account_id, m.budget_id, m.period_start, sum(m.spent) as spent, sum(m.reserved) as reserved from (
          select b.account_id, b.id, budgets.start_of(b.period, p.occurred_at, b.time_zone), p.amount, 0
          from spending p
          join budgets.budget b on b.account_id = p.account_id and budgets.counts(b.scope, b.scope_id, b.model_alias,
            p.api_key_id, p.managed_agent_id, p.flow_id, p.model_alias)
          union all
          -- Budgets that are no more have no books.
          select b.account_id, b.id, h.period_start, 0, -t.amount
          from (
            select account_id, budget_ids, period_starts, amount from taken where state = 'held'
            union all
            select account_id, budget_ids, period_starts, amount from returned
          ) t
          cross join lateral unnest(t.budget_ids, t.period_starts) as h (budget_id, period_start)
          join budgets.budget b on b.account_id = t.account_id and b.id = h.budget_id
        ) m (account_id, budget_id, period_start, spent, reserved) group by 1, 2, 3
      ), moved as (
        insert into budgets.bucket as k (account_id, budget_id, period_start, spent, reserved)
        select m.account_id, m.budget_id, m.period_start, m.spent, m.reserved from movement m
        where m.spent <> 0 or m.reserved <> 0
        on conflict on constraint bucket_pkey do update set
          spent = k.spent + excluded.spent, reserved = k.reserved + excluded.reserved
        returning k.account_id, k.budget_id, k.period_start, k.spent
      )
      select exists (
        select from moved k
        join movement m on m.account_id = k.account_id and m.budget_id = k.budget_id
          and m.period_start = k.period_start and m.spent > 0
        join budgets.budget b on b.account_id = k.account_id and b.id = k.budget_id and b.is_enabled
        where exists (
          select from (
            select 'threshold', t.percent from unnest(b.thresholds_percent) as t (percent)
            union all
            select 'exceeded', 100 where b.is_hard
          ) as mark (kind, percent)
          where k.spent * 100 >= b.limit_amount * mark.percent and not exists (
            select from budgets.crossing c where c.account_id = k.account_id and c.budget_id = b.id
              and c.period_start = k.period_start and c.kind = mark.kind and c.threshold_percent = mark.percent
          )
        )
      ) into is_reached;
      if is_reached then
        raise exception 'a limit was crossed that is to be told of' using errcode = 'BU001';
      end if;
    end $$
    `.execute(db);
  },
  async down(db) {
    await sql`drop function budgets.settle_locked(jsonb, uuid[])`.execute(db);
  },
};
