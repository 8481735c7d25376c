import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';

export interface SessionOfRequests {
  readonly accountId: string;
  readonly sessionId: string;
}

/** Locks requests that name the session, until the transaction ends; returns their ids. */
export async function lockRequestsOfSession(
  trx: AnyTransaction,
  { accountId, sessionId }: SessionOfRequests,
  limit: number,
): Promise<string[]> {
  const rows = await tables(trx)
    .selectFrom('approvals.approval_request')
    .select('id')
    .where('account_id', '=', accountId)
    .where('runtime_session_id', '=', sessionId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists the people who got an email about the requests. */
export async function listMailed(
  trx: AnyTransaction,
  requestIds: readonly string[],
): Promise<{ readonly requestId: string; readonly userId: string }[]> {
  return tables(trx)
    .selectFrom('approvals.approval_link')
    .select(['request_id as requestId', 'user_id as userId'])
    .where('request_id', 'in', [...requestIds])
    .execute();
}

/**
 * Removes content that came from the session or describes it, including stored calls and their results. Pending
 * requests become overdue.
 */
export async function clearRequests(trx: AnyTransaction, requestIds: readonly string[], marker: object): Promise<void> {
  await sql`
    update approvals.approval_request
    set arguments = ${JSON.stringify(marker)}, reasoning = null, comment = null, ai = null, runtime_session_id = null,
      expires_at = case when status = 'pending' then least(expires_at, clock_timestamp()) else expires_at end,
      due_at = case when status = 'pending' then clock_timestamp() end
    where id = any (${[...requestIds]}::uuid[])
  `.execute(trx);
  await tables(trx)
    .updateTable('approvals.approval_vote')
    .set({ comment: null })
    .where('request_id', 'in', [...requestIds])
    .execute();
  await tables(trx)
    .deleteFrom('approvals.approval_run')
    .where('request_id', 'in', [...requestIds])
    .execute();
}
