import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

const WINDOW_SECONDS = 60;

export interface Bucket {
  readonly name: string;
  readonly limit: number;
}

/** Seconds until the fullest bucket's minute is over, or 0 when none is full. */
export async function readLoginBlock(db: AnyDatabase, buckets: readonly Bucket[], now: Date): Promise<number> {
  let seconds = 0;
  for (const bucket of buckets) {
    const found = await sql<{ window_start: Date; failures: number }>`
      select window_start, failures from gateway.login_failure where bucket = ${digest(bucket.name)}
    `.execute(db);
    const row = found.rows[0];
    if (row === undefined || row.failures < bucket.limit) continue;
    const left = WINDOW_SECONDS - (now.getTime() - row.window_start.getTime()) / 1000;
    seconds = Math.max(seconds, Math.ceil(left));
  }
  return seconds;
}

/** Counts one failure; a minute that is over starts anew. Exact over several processes. */
export async function countLoginFailure(db: AnyDatabase, name: string, now: Date): Promise<void> {
  const windowOver = new Date(now.getTime() - WINDOW_SECONDS * 1000);
  await sql`
    insert into gateway.login_failure as kept (bucket, window_start, failures) values (${digest(name)}, ${now}, 1)
    on conflict (bucket) do update set
      failures = case when kept.window_start <= ${windowOver} then 1 else kept.failures + 1 end,
      window_start = case when kept.window_start <= ${windowOver} then excluded.window_start else kept.window_start end
  `.execute(db);
}

export async function clearLoginFailures(db: AnyDatabase, name: string): Promise<void> {
  await sql`delete from gateway.login_failure where bucket = ${digest(name)}`.execute(db);
}

/** Minutes that are over. Returns how many went. */
export async function purgeLoginFailures(db: AnyDatabase, now: Date): Promise<number> {
  const windowOver = new Date(now.getTime() - WINDOW_SECONDS * 1000);
  const result = await sql`delete from gateway.login_failure where window_start < ${windowOver}`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** A name can be anything somebody typed, a password in the wrong field included: only a digest is kept. */
function digest(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}
