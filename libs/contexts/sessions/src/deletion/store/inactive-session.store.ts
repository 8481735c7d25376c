import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface InactivePlace {
  readonly id: string;
  readonly startedAt: Date;
}

/**
 * Returns sessions that began before a time and have had no activity since then, oldest start first. Uses the index on
 * the start time; the last activity has no index, since every content write changes it.
 */
export async function listInactiveSessions(
  db: AnyDatabase,
  key: {
    readonly accountId: string;
    readonly before: Date;
    readonly after: InactivePlace | undefined;
    readonly limit: number;
  },
): Promise<InactivePlace[]> {
  const { after } = key;
  const isBehind =
    after === undefined ? sql`true` : sql`(started_at, id) > (${after.startedAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<InactivePlace>`
    select id, started_at as "startedAt" from gateway.runtime_session
    where account_id = ${key.accountId} and started_at < ${key.before} and last_activity_at < ${key.before} and ${isBehind}
    order by started_at, id limit ${key.limit}
  `.execute(db);
  return rows;
}
