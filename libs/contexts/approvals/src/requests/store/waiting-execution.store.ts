import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { ApprovalRequest } from '../approval-request.ts';
import { toRequest } from './approval-request.store.ts';

const isWaiting = sql<boolean>`status = 'pending' and execution_id is not null`;

/** Selects the pending requests, of all accounts, for calls of executions. */
export const WAITING_CALLS = sql`select from approvals.approval_request where ${isWaiting}`;

/** Lists the executions, of any account, with a call that waits for approval. */
export async function listWaitingExecutions(db: AnyDatabase): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('approvals.approval_request')
    .select('execution_id')
    .distinct()
    .where(isWaiting)
    .execute();
  return rows.flatMap(({ execution_id: id }) => id ?? []);
}

/**
 * Locks pending requests of these executions until the transaction ends; requests that other transactions have locked,
 * for example to decide them, are skipped.
 */
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
