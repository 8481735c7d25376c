import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { ApprovalRequest } from '../approval-request.ts';
import { toRequest } from './approval-request.store.ts';

/** Executions, of any account, in which a call waits for people. */
export async function listWaitingExecutions(db: AnyDatabase): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('approvals.approval_request')
    .select('execution_id')
    .distinct()
    .where('status', '=', 'pending')
    .where('execution_id', 'is not', null)
    .execute();
  return rows.flatMap(({ execution_id: id }) => id ?? []);
}

/** Pending ones of these executions, kept from everybody else until the transaction ends; those that somebody decides are left out. */
export async function lockRequestsOfExecutions(
  trx: AnyTransaction,
  executionIds: readonly string[],
): Promise<ApprovalRequest[]> {
  const rows = await tables(trx)
    .selectFrom('approvals.approval_request')
    .selectAll()
    .where('execution_id', 'in', [...executionIds])
    .where('status', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(toRequest);
}
