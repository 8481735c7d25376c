import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { TerminalStatus } from '../rules/execution-status.ts';
import type { ExecutionRow } from '../../schema.ts';
import { updateExecution } from './execution.store.ts';

/** Columns that are set when an execution ends; JSON as a string. */
export interface StoredEnd {
  readonly status: TerminalStatus;
  readonly failure_category: ExecutionRow['failure_category'];
  readonly error_message: string | null;
  readonly result: string | null;
  readonly evidence_receipt: string | null;
  readonly finished_at: Date;
}

/**
 * Writes the end of a locked execution: under the lease in its row if a worker has claimed the execution, otherwise
 * without a lease.
 * @throws Error if the lease was lost
 */
export async function storeEnd(trx: AnyTransaction, execution: ExecutionRow, end: StoredEnd): Promise<ExecutionRow> {
  if (execution.lease_token === null) return updateExecution(trx, execution.id, end);
  const finished = await sql<ExecutionRow>`
    select * from flows.finish_execution(${execution.id}, ${execution.lease_token}, ${end.status}, ${end.failure_category},
      ${end.error_message}, ${end.result}, ${end.evidence_receipt}, ${end.finished_at})
  `.execute(trx);
  const [row] = finished.rows;
  if (row === undefined) throw new Error('the lease of an execution was lost before its end was recorded');
  return row;
}
