import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { LATEST_CALLS } from '../../sessions/store/calling-session.store.ts';
import { LEAST_OBJECT_BYTES, MOVED_KINDS } from '../rules/movable.ts';

export interface ContentKey {
  readonly accountId: string;
  readonly id: string;
}

/** Content that this process alone moves, until the claim ends. */
export interface Claim extends ContentKey {
  /** End of the claim, as a string from the database, because a JavaScript date has no microseconds. */
  readonly claimedUntil: string;
}

export interface ClaimRequest {
  /** Size above which a body is moved. */
  readonly largerThan: number;
  /** Minimum age in seconds of the bodies that are moved: new content is changed and read most often. */
  readonly minAgeSeconds: number;
  /** Duration of a claim in seconds, after which another process may claim the body. */
  readonly claimSeconds: number;
  readonly limit: number;
}

/**
 * Returns a condition on `c`. It repeats the condition of the index of large bodies literally, since otherwise the
 * index would not be used.
 */
const isLarge = (largerThan: number) => sql`
  c.content_object is null and c.content_size_bytes >= ${sql.lit(LEAST_OBJECT_BYTES)}
  and c.kind in (${sql.join(MOVED_KINDS.map((kind) => sql.lit(kind)))})
  and c.content_size_bytes > ${largerThan}`;

/**
 * Condition: `c` is one of the latest model calls of its session. The bodies of these calls stay in the database while
 * the session is open, because they are searched for the ids of tool calls (`findSessionOfModelCall`).
 */
const IS_LATEST_CALL = sql`c.id in (
  select latest.id from gateway.session_content latest
  where latest.account_id = c.account_id and latest.runtime_session_id = c.runtime_session_id
    and latest.kind = 'gateway_interaction'
  order by latest.occurred_at desc, latest.id desc limit ${sql.lit(LATEST_CALLS)}
)`;

/**
 * Claims the largest bodies that are not claimed, for this process alone. Returns fewer than `limit` if another process
 * claims some of them at the same time. No lock is held afterwards.
 */
export async function claimLargeContent(db: AnyDatabase, request: ClaimRequest): Promise<readonly Claim[]> {
  const { largerThan, minAgeSeconds, claimSeconds, limit } = request;
  const { rows } = await sql<Claim>`
    with large as materialized (
      select c.account_id, c.id from gateway.session_content c
      where ${isLarge(largerThan)}
        and c.created_at < clock_timestamp() - make_interval(secs => ${minAgeSeconds})
        and exists (
          select from gateway.runtime_session s where s.account_id = c.account_id and s.id = c.runtime_session_id
            and (s.ended_at is not null or c.kind <> 'gateway_interaction' or not ${IS_LATEST_CALL})
        )
        and not exists (
          select from gateway.content_claim k
          where k.account_id = c.account_id and k.content_id = c.id and k.claimed_until > clock_timestamp()
        )
      order by c.content_size_bytes desc, c.account_id, c.id limit ${limit}
    )
    insert into gateway.content_claim as claim (account_id, content_id, claimed_until)
    select account_id, id, clock_timestamp() + make_interval(secs => ${claimSeconds}) from large order by account_id, id
    on conflict (account_id, content_id) do update set claimed_until = excluded.claimed_until
      where claim.claimed_until <= clock_timestamp()
    returning account_id as "accountId", content_id as id, claimed_until::text as "claimedUntil"
  `.execute(db);
  return rows;
}

/**
 * Ends claims, so that another process may claim the bodies at once. A claim that another process has obtained in the
 * meantime is not deleted.
 */
export async function releaseClaims(db: AnyDatabase, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    delete from gateway.content_claim claim
    using unnest(
      ${claims.map(({ accountId }) => accountId)}::uuid[], ${claims.map(({ id }) => id)}::uuid[],
      ${claims.map(({ claimedUntil }) => claimedUntil)}::timestamptz[]
    ) ended (account_id, id, claimed_until)
    where claim.account_id = ended.account_id and claim.content_id = ended.id
      and claim.claimed_until = ended.claimed_until
  `.execute(db);
}

/**
 * Deletes claims that ended more than a day ago. The claimed bodies no longer have to be moved, for example because
 * they were deleted.
 */
export async function deleteOldClaims(db: AnyDatabase, limit: number): Promise<void> {
  await sql`
    delete from gateway.content_claim where (account_id, content_id) in (
      select account_id, content_id from gateway.content_claim
      where claimed_until < clock_timestamp() - interval '1 day' limit ${limit}
    )
  `.execute(db);
}

/** Returns the number of large bodies that are in the database, counted up to `most`. */
export async function countLargeContent(db: AnyDatabase, largerThan: number, most: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from gateway.session_content c where ${isLarge(largerThan)} limit ${most}
    ) counted
  `.execute(db);
  return rows[0]?.waiting ?? 0;
}
