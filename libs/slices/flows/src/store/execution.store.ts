import type { Kysely, Transaction, Updateable } from 'kysely';
import { ACTIVE_STATUSES, type ExecutionStatus } from '../rules/execution-status.ts';
import type { WorkspaceFile } from '../rules/workspace-files.ts';
import type { ExecutionRow, ExecutionTable, FlowsDatabase, NewExecution } from '../schema.ts';

type Reader = Kysely<FlowsDatabase> | Transaction<FlowsDatabase>;

/** Undefined when an active execution holds the same dedupe value. */
export function insertExecution(
  trx: Transaction<FlowsDatabase>,
  execution: NewExecution,
): Promise<ExecutionRow | undefined> {
  return trx
    .insertInto('flows.execution')
    .values(execution)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function insertWorkspaceFiles(
  trx: Transaction<FlowsDatabase>,
  key: { readonly accountId: string; readonly executionId: string },
  files: readonly WorkspaceFile[],
): Promise<void> {
  if (files.length === 0) return;
  await trx
    .insertInto('flows.execution_workspace_file')
    .values(
      files.map((file) => ({
        execution_id: key.executionId,
        account_id: key.accountId,
        path: file.path,
        content: file.content,
      })),
    )
    .execute();
}

export function listWorkspaceFiles(db: Reader, executionId: string): Promise<WorkspaceFile[]> {
  return db
    .selectFrom('flows.execution_workspace_file')
    .select(['path', 'content'])
    .where('execution_id', '=', executionId)
    .orderBy('path')
    .execute();
}

export function findExecution(db: Reader, accountId: string, executionId: string): Promise<ExecutionRow | undefined> {
  return db
    .selectFrom('flows.execution')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', executionId)
    .executeTakeFirst();
}

export function lockExecution(trx: Transaction<FlowsDatabase>, executionId: string): Promise<ExecutionRow | undefined> {
  return trx.selectFrom('flows.execution').selectAll().where('id', '=', executionId).forUpdate().executeTakeFirst();
}

export function lockActiveByDedupeValue(
  trx: Transaction<FlowsDatabase>,
  flowId: string,
  dedupeValue: string,
): Promise<ExecutionRow | undefined> {
  return trx
    .selectFrom('flows.execution')
    .selectAll()
    .where('flow_id', '=', flowId)
    .where('dedupe_value', '=', dedupeValue)
    .where('status', 'in', ACTIVE_STATUSES)
    .forUpdate()
    .executeTakeFirst();
}

export async function hasActiveExecution(db: Reader, flowId: string): Promise<boolean> {
  const row = await db
    .selectFrom('flows.execution')
    .select('id')
    .where('flow_id', '=', flowId)
    .where('status', 'in', ACTIVE_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface ExecutionFilter {
  readonly accountId: string;
  readonly flowId?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

/** Newest first; one row more than asked for tells whether there is a further page. */
export function listExecutions(db: Reader, filter: ExecutionFilter): Promise<ExecutionRow[]> {
  const { flowId, status, beforeId } = filter;
  return db
    .selectFrom('flows.execution')
    .selectAll()
    .where('account_id', '=', filter.accountId)
    .$if(flowId !== undefined, (query) => query.where('flow_id', '=', flowId as string))
    .$if(status !== undefined, (query) => query.where('status', '=', status as ExecutionStatus))
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId as string))
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
}

export function updateExecution(
  trx: Transaction<FlowsDatabase>,
  executionId: string,
  change: Updateable<ExecutionTable>,
): Promise<ExecutionRow> {
  return trx
    .updateTable('flows.execution')
    .set(change)
    .where('id', '=', executionId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
