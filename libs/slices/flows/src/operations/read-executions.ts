import type { AnyDatabase } from '@steward/database';
import type { ExecutionRow } from '../schema.ts';
import * as store from '../store/execution.store.ts';

export type { ExecutionFilter } from '../store/execution.store.ts';

export function findExecution(
  db: AnyDatabase,
  accountId: string,
  executionId: string,
): Promise<ExecutionRow | undefined> {
  return store.findExecution(db, accountId, executionId);
}

/** Newest first, one row more than `limit` when there is a further page. */
export function listExecutions(db: AnyDatabase, filter: store.ExecutionFilter): Promise<ExecutionRow[]> {
  return store.listExecutions(db, filter);
}
