import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/**
 * Age up to which facts are retained for steps of one minute, after they have been added to the sums: one hour more
 * than the longest range that can be requested with such steps.
 */
const RECENT = sql`interval '25 hours'`;

/**
 * Moves the oldest facts into the sums, all in one statement. Facts that another process is moving are skipped.
 *
 * @returns the number of moved facts
 */
export async function moveFacts(db: AnyDatabase, limit: number): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      delete from stats.pending where id in (
        select id from stats.pending order by id limit ${limit} for update skip locked
      ) returning *
    ), kept as (
      insert into stats.recent select * from moved where at >= now() - ${RECENT}
    ), summed as (
      select m.account_id, m.source, d.dimension, s.step::smallint as step,
        date_bin(make_interval(secs => s.step), m.at, timestamptz '2000-01-01 00:00:00+00') as place,
        coalesce(d.key, '') as key, m.bin, sum(m.count) as count, sum(m.failed) as failed, sum(m.amount) as amount,
        sum(m.input) as input, sum(m.output) as output
      from moved m
      cross join lateral (select '', '' union all select * from jsonb_each_text(m.keys)) d (dimension, key)
      cross join (values (900), (3600)) s (step)
      group by 1, 2, 3, 4, 5, 6, 7
    ), stored as (
      insert into stats.roll_up as r (account_id, source, dimension, step, at, key, bin, count, failed, amount, input, output)
      -- In one order, so that two processes never wait for each other.
      select * from summed order by 1, 2, 3, 4, 5, 6, 7
      on conflict (account_id, source, dimension, step, at, key, bin) do update set
        count = r.count + excluded.count, failed = r.failed + excluded.failed, amount = r.amount + excluded.amount,
        input = r.input + excluded.input, output = r.output + excluded.output
    )
    select count(*) as moved from moved
  `.execute(db);
  return rows[0]?.moved ?? 0;
}

export async function deleteRecent(db: AnyDatabase): Promise<void> {
  await sql`delete from stats.recent where at < now() - ${RECENT}`.execute(db);
}

/** Deletes old sums, except those of the corpus, whose size is the sum of all changes to it. */
export async function deleteSums(db: AnyDatabase, before: Date): Promise<void> {
  await sql`delete from stats.roll_up where at < ${before} and source <> 'chunk'`.execute(db);
}

/** Returns how many facts of all accounts are not in the sums yet, but at most `limit`. */
export async function countPendingFacts(db: AnyDatabase, limit: number): Promise<number> {
  const { rows } = await sql<{ facts: number }>`
    select count(*)::int as facts from (select from stats.pending limit ${limit}) pending
  `.execute(db);
  return rows[0]?.facts ?? 0;
}
