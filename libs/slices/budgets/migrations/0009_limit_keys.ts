import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

/** The spans of time that limits of keys are about, as rows. */
const SPANS = `(values ('minute'), ('day')) as s (span)`;
const startOfSpan = (span: string, at: string) => `date_trunc(${span}, ${at}, 'UTC')`;

/**
 * Calls and tokens of API keys that have limits, in minutes and days of UTC. They are counted where room in budgets is: with the
 * books of the account in hand, so that no calls at once pass a limit together, and a call's tokens count once.
 */
export const limitKeys: Migration = {
  async up(db) {
    await sql`
      create table budgets.key_window (
        account_id uuid not null,
        api_key_id text not null,
        span text not null constraint key_window_span_check check (span in ('minute', 'day')),
        started_at timestamptz(3) not null,
        calls bigint not null,
        tokens bigint not null,
        -- What calls under way may take.
        held_tokens bigint not null,
        primary key (account_id, api_key_id, span, started_at)
      )
    `.execute(db);
    await sql`create index key_window_age_idx on budgets.key_window (started_at)`.execute(db);
    await sql`grant select, insert, update, delete on budgets.key_window to steward_api_gateway`.execute(db);
    await sql`alter table budgets.reservation add column tokens bigint, add column limited_keys text[]`.execute(db);
    await changeFunction(
      db,
      'budgets.reserve(uuid, jsonb, timestamptz, timestamptz)',
      [
        ['refused_by uuid)', 'refused_by uuid, refused_limit text)'],
        [`as is_unsized, `, `as is_unsized, coalesce(e.value -> 'key_limits', '[]') as key_limits, `],
        [
          'for place in 1 .. coalesce(cardinality(known), 0) loop\n          continue when not',
          `refused_limit := case when former.id is null then budgets.find_reached_limit(account, request.key_limits, reserved_at) end;
        if refused_limit is not null then
          return next;
          continue;
        end if;
        for place in 1 .. coalesce(cardinality(known), 0) loop
          continue when not`,
        ],
        [
          'delete from budgets.reservation r where r.account_id = account and r.id = former.id;',
          `delete from budgets.reservation r where r.account_id = account and r.id = former.id;
          update budgets.key_window w set held_tokens = w.held_tokens - former.tokens
          from unnest(former.limited_keys) as k (key_id) cross join ${SPANS}
          where w.account_id = account and w.api_key_id = k.key_id and w.span = s.span
            and w.started_at = ${startOfSpan('s.span', 'former.occurred_at')};`,
        ],
        ['call, alive_until)', 'call, alive_until, tokens, limited_keys)'],
        [
          'request.call, reserve.alive_until);',
          `request.call, reserve.alive_until, request.tokens,
          array(select l.value ->> 'api_key_id' from jsonb_array_elements(request.key_limits) l));
        insert into budgets.key_window as w (account_id, api_key_id, span, started_at, calls, tokens, held_tokens)
        select account, l.value ->> 'api_key_id', s.span, ${startOfSpan('s.span', 'reserved_at')},
          case when former.id is null then 1 else 0 end, 0, request.tokens
        from jsonb_array_elements(request.key_limits) l cross join ${SPANS}
        on conflict on constraint key_window_pkey do update set
          calls = w.calls + excluded.calls, held_tokens = w.held_tokens + excluded.held_tokens;`,
        ],
      ],
      { changesAnswer: true },
    );
    await createFindReached(db);
    await changeFunction(db, 'budgets.settle(uuid, jsonb, uuid[], boolean)', [
      ['cost numeric, is_booked boolean)', 'cost numeric, is_booked boolean, tokens bigint)'],
      ['returning r.*, s.has_books', 'returning r.*, s.has_books, coalesce(s.tokens, 0) as taken_tokens'],
      [
        '), spending as (',
        `), counted as (
        update budgets.key_window w set held_tokens = w.held_tokens - c.held, tokens = w.tokens + c.taken
        from (
          select k.key_id, s.span, ${startOfSpan('s.span', 't.occurred_at')} as started_at, sum(t.tokens) as held,
            sum(t.taken_tokens) as taken
          from taken t cross join lateral unnest(t.limited_keys) as k (key_id) cross join ${SPANS}
          where t.state = 'held' group by 1, 2, 3
        ) c
        where w.account_id = account and w.api_key_id = c.key_id and w.span = c.span and w.started_at = c.started_at
      ), spending as (`,
      ],
    ]);
  },
};

/** The name of a limit that leaves no room for a further call; of several that of the longest span. */
async function createFindReached(db: Parameters<NonNullable<Migration['up']>>[0]): Promise<void> {
  await sql`
    create function budgets.find_reached_limit(account uuid, key_limits jsonb, at timestamptz) returns text
    language sql stable as $$
      select n.name
      from jsonb_array_elements(key_limits) l
      cross join (values
        ('calls_per_day', 'day'), ('tokens_per_day', 'day'), ('calls_per_minute', 'minute'), ('tokens_per_minute', 'minute')
      ) as n (name, span)
      left join budgets.key_window w on w.account_id = account and w.api_key_id = l.value ->> 'api_key_id' and w.span = n.span
        and w.started_at = date_trunc(n.span, at, 'UTC')
      where (l.value ->> n.name)::bigint
        <= coalesce(case when n.name like 'calls%' then w.calls else w.tokens + w.held_tokens end, 0)
      order by n.span, n.name limit 1
    $$
  `.execute(db);
}
