import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Counts pending requests of an account, up to a maximum. */
export async function countPendingRequests(db: AnyDatabase, accountId: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from approvals.approval_request where account_id = ${accountId} and status = 'pending' limit ${atMost}
    ) pending
  `.execute(db);
  return rows[0]?.count ?? 0;
}
