import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';

const WINDOW_SECONDS = 60;

export interface Bucket {
  readonly name: string;
  readonly limit: number;
}

/**
 * Buckets in which an attempt is counted, from the narrowest to the widest: the name at one address, the address, and,
 * if such a limit applies, the name over all addresses. An attempt refused by one bucket is not counted in the
 * following ones.
 */
export type Buckets = readonly [Bucket, Bucket] | readonly [Bucket, Bucket, Bucket];

/** Returns the number of seconds until the last full bucket is reset; 0 if none is full. */
export async function readLoginBlock(db: AnyDatabase, buckets: Buckets, now: Date): Promise<number> {
  const found = await executePrepared(
    db,
    'identity.login-block',
    sql<{ bucket: Buffer; window_start: Date; failures: number }>`
    select bucket, window_start, failures from gateway.login_failure where bucket = any(${buckets.map(digest)}::bytea[])
  `,
  );
  let seconds = 0;
  for (const row of found.rows) {
    const limit = buckets.find((bucket) => digest(bucket).equals(row.bucket))?.limit ?? Number.POSITIVE_INFINITY;
    if (row.failures < limit) continue;
    const left = WINDOW_SECONDS - (now.getTime() - row.window_start.getTime()) / 1000;
    seconds = Math.max(seconds, Math.ceil(left));
  }
  return seconds;
}

/**
 * Counts an attempt before its password is checked, in one statement: however many attempts and processes are
 * concurrent, no more attempts pass than the limit allows. Returns false, and counts nothing, if a bucket is full.
 */
export async function countLoginAttempt(db: AnyDatabase, buckets: Buckets, now: Date): Promise<boolean> {
  const [pair, address, name] = buckets;
  const over = new Date(now.getTime() - WINDOW_SECONDS * 1000);
  const count = (bucket: Bucket, after: string | undefined) => sql`
    insert into gateway.login_failure as kept (bucket, window_start, failures)
    select ${digest(bucket)}::bytea, ${now}::timestamptz, 1
    ${after === undefined ? sql`` : sql`where exists (select from ${sql.ref(after)})`}
    on conflict (bucket) do update set
      failures = case when kept.window_start <= ${over} then 1 else kept.failures + 1 end,
      window_start = case when kept.window_start <= ${over} then excluded.window_start else kept.window_start end
    where kept.window_start <= ${over} or kept.failures < ${bucket.limit}
    returning bucket`;
  const counted = await executePrepared(
    db,
    `identity.login-attempt-${buckets.length}`,
    sql<{ places: number }>`
    with of_pair as (${count(pair, undefined)}),
      of_address as (${count(address, 'of_pair')})
      ${name === undefined ? sql`` : sql`, of_name as (${count(name, 'of_address')})`}
    select (select count(*) from of_pair)::int + (select count(*) from of_address)::int
      ${name === undefined ? sql`` : sql`+ (select count(*) from of_name)::int`} as places
  `,
  );
  const places = counted.rows[0]?.places ?? 0;
  if (places === buckets.length) return true;
  await refundLoginAttempt(db, buckets.slice(0, places));
  return false;
}

/**
 * Refunds an attempt in its buckets, in the order in which it was counted there, so that concurrent transactions cannot
 * deadlock. The minute of a bucket begins with the first counted attempt, and ends early if all attempts are refunded.
 */
export async function refundLoginAttempt(db: AnyDatabase, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets) {
    await executePrepared(
      db,
      'identity.give-back-attempt',
      sql`
      update gateway.login_failure set failures = failures - 1,
        window_start = case when failures = 1 then 'epoch' else window_start end
      where bucket = ${digest(bucket)} and failures > 0
    `,
    );
  }
}

/** Deletes expired buckets. Returns the number of deleted rows. */
export async function purgeLoginFailures(db: AnyDatabase, now: Date): Promise<number> {
  const windowOver = new Date(now.getTime() - WINDOW_SECONDS * 1000);
  const result = await sql`delete from gateway.login_failure where window_start < ${windowOver}`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/**
 * Returns the digest of a bucket's name. A login name can be anything that was entered, including a password in the
 * wrong field, so only the digest is stored.
 */
function digest({ name }: Bucket): Buffer {
  return createHash('sha256').update(name).digest();
}
