import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { ApprovalRequest } from '../approval-request.ts';
import { toRequest } from './approval-request.store.ts';

/** Lists pending requests of all accounts in the order of their ids, beginning after the id `after`. */
export async function listAllPending(
  db: AnyDatabase,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ApprovalRequest[]> {
  const rows = await tables(db)
    .selectFrom('approvals.approval_request')
    .selectAll()
    .where('status', '=', 'pending')
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRequest);
}

const isSufficient = sql<boolean>`
  request.status = 'pending' and request.expires_at > now() and exists (
    select from approvals.approval_workflow w
    where w.account_id = request.account_id and w.id = request.approval_workflow_id and w.quorum < request.quorum
      and w.quorum <= (select count(*) from approvals.approval_vote v where v.request_id = request.id and v.decision = 'approve')
  )
`;

/**
 * Selects the pending requests of all accounts that have enough approvals because the quorum of their workflow was
 * lowered.
 */
export const SUFFICIENT_REQUESTS = sql`select from approvals.approval_request request where ${isSufficient}`;

/**
 * Locks, until the transaction ends, up to `limit` of the requests that `SUFFICIENT_REQUESTS` selects; other
 * transactions skip these requests.
 */
export async function lockSufficientRequests(trx: AnyTransaction, limit: number): Promise<ApprovalRequest[]> {
  const rows = await tables(trx)
    .selectFrom('approvals.approval_request as request')
    .selectAll('request')
    .where(isSufficient)
    .limit(limit)
    .forUpdate('request')
    .skipLocked()
    .execute();
  return rows.map(toRequest);
}
