import { firstIdAt } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { tables, type ExecutionRow } from '../../schema.ts';

export interface RemovableExecutions {
  readonly accountId: string;
  /** Time before which the executions ended. */
  readonly before: Date;
  /** Id of the last execution that was found; undefined to begin with the oldest. */
  readonly afterId: string | undefined;
  readonly limit: number;
}

/**
 * Locks executions of an account that ended before a time, oldest first; skips those that other transactions have
 * locked.
 */
export function lockRemovable(
  trx: AnyTransaction,
  { accountId, before, afterId, limit }: RemovableExecutions,
): Promise<Pick<ExecutionRow, 'id' | 'runtime_session_id'>[]> {
  return (
    tables(trx)
      .selectFrom('flows.execution')
      .select(['id', 'runtime_session_id'])
      .where('account_id', '=', accountId)
      // An execution is created before it ends, and its id contains the time of creation: this bound lets the index
      // skip newer executions.
      .where('id', '<', firstIdAt(before))
      .where('finished_at', '<', before)
      .$if(afterId !== undefined, (query) => query.where('id', '>', afterId as string))
      .orderBy('id')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
  );
}

/** Deletes executions with the files of their triggers. */
export async function deleteExecutions(trx: AnyTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(trx)
    .deleteFrom('flows.execution_workspace_file')
    .where('execution_id', 'in', [...ids])
    .execute();
  await tables(trx)
    .deleteFrom('flows.execution')
    .where('id', 'in', [...ids])
    .execute();
}
