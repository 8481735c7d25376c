import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Calls and tokens of API keys with limits, per minute and day of UTC. They are counted together with budget
 * reservations, under the ledger lock of the account, so that concurrent calls cannot exceed a limit together, and
 * tokens of a call count once.
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
    await createFindReached(db);
  },
};

/** Name of a limit that allows no further call; of several the one with the longest period. */
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
