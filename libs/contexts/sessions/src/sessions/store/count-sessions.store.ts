import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** The sessions of one account after a position, newest start first. */
export interface SessionsBehind {
  readonly accountId: string;
  /** Position after which sessions are counted; undefined counts all of them. */
  readonly behind: { readonly startedAt: Date; readonly id: string } | undefined;
  /** Only sessions that were written to at this time or later are counted. */
  readonly touchedSince: Date | undefined;
}

export interface SessionCount {
  readonly sessions: number;
  /** True if the number is a lower bound: there may be more sessions. */
  readonly isLeast: boolean;
}

/**
 * Counts the sessions after a position, for many accounts in one statement. At most `most` per account are read, newest
 * first, so that the cost is bounded for an account of any size.
 */
export async function countSessionsBehind(
  db: AnyDatabase,
  wanted: readonly SessionsBehind[],
  { since, most }: { readonly since: Date | undefined; readonly most: number },
): Promise<ReadonlyMap<string, SessionCount>> {
  const { rows } = await sql<{ account_id: string; sessions: number; seen: number }>`
    select wanted.account_id, counted.sessions, counted.seen
    from unnest(${wanted.map(({ accountId }) => accountId)}::uuid[], ${wanted.map(({ behind }) => behind?.startedAt ?? null)}::timestamptz[],
      ${wanted.map(({ behind }) => behind?.id ?? null)}::uuid[], ${wanted.map(({ touchedSince }) => touchedSince ?? null)}::timestamptz[])
      as wanted (account_id, started_at, id, touched_since)
    cross join lateral (
      select count(*) as seen, count(*) filter (where updated_at >= coalesce(wanted.touched_since, '-infinity')) as sessions
      from (
        select updated_at from gateway.runtime_session session
        where session.account_id = wanted.account_id and session.started_at >= coalesce(${since ?? null}::timestamptz, '-infinity')
          and (session.started_at, session.id) <
            (coalesce(wanted.started_at, 'infinity'), coalesce(wanted.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        order by session.started_at desc, session.id desc limit ${most}
      ) session
    ) counted
  `.execute(db);
  return new Map(
    rows.map((row) => [row.account_id, { sessions: Number(row.sessions), isLeast: Number(row.seen) >= most }]),
  );
}
