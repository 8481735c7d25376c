import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Counts executions of an account that are currently running on a worker, up to a maximum. */
export async function countRunningExecutions(db: AnyDatabase, accountId: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from flows.execution where account_id = ${accountId} and status in ('INITIALIZING', 'RUNNING') limit ${atMost}
    ) running
  `.execute(db);
  return rows[0]?.count ?? 0;
}
