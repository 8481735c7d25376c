import { sql, type Updateable } from 'kysely';
import { firstIdAt } from '@steward/crypto';
import {
  containsText,
  pageById,
  type AnyDatabase,
  type AnyTransaction,
  type IdPage,
  type TimeBounds,
} from '@steward/database';
import { ACTIVE_STATUSES, type ExecutionStatus } from '../rules/execution-status.ts';
import type { WorkspaceFile } from '../rules/workspace-files.ts';
import { tables, type ExecutionRow, type ExecutionTable } from '../../schema.ts';

export async function insertWorkspaceFiles(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly executionId: string },
  files: readonly WorkspaceFile[],
): Promise<void> {
  if (files.length === 0) return;
  await tables(trx)
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

export function listWorkspaceFiles(db: AnyDatabase, executionId: string): Promise<WorkspaceFile[]> {
  return tables(db)
    .selectFrom('flows.execution_workspace_file')
    .select(['path', 'content'])
    .where('execution_id', '=', executionId)
    .orderBy('path')
    .execute();
}

/** Lists the files of an execution for the worker that holds its lease. */
export async function listLeasedFiles(
  db: AnyDatabase,
  execution: Pick<ExecutionRow, 'id' | 'lease_token'>,
): Promise<WorkspaceFile[]> {
  const files = await sql<WorkspaceFile>`
    select path, content from flows.leased_files(${execution.id}, ${execution.lease_token})
  `.execute(db);
  return files.rows;
}

const selectExecutions = (db: AnyDatabase) => tables(db).selectFrom('flows.execution').selectAll();

export function findExecution(
  db: AnyDatabase,
  accountId: string,
  executionId: string,
): Promise<ExecutionRow | undefined> {
  return selectExecutions(db).where('account_id', '=', accountId).where('id', '=', executionId).executeTakeFirst();
}

export function lockExecution(trx: AnyTransaction, executionId: string): Promise<ExecutionRow | undefined> {
  return selectExecutions(trx).where('id', '=', executionId).forUpdate().executeTakeFirst();
}

/** Locks active executions of an account, oldest first, except those for which a stop was requested. */
export function lockActiveOfAccount(
  trx: AnyTransaction,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<ExecutionRow[]> {
  return selectExecutions(trx)
    .where('account_id', '=', accountId)
    .where('status', 'in', ACTIVE_STATUSES)
    .where('stop_requested_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
}

/**
 * Locks the active execution of a flow with this dedupe value. Pass `update` for an execution that will be stopped, and
 * `key share` for one that continues and must only be protected from deletion.
 */
export function lockActiveByDedupeValue(
  trx: AnyTransaction,
  { flowId, dedupeValue }: { readonly flowId: string; readonly dedupeValue: string },
  strength: 'update' | 'key share',
): Promise<ExecutionRow | undefined> {
  const active = selectExecutions(trx)
    .where('flow_id', '=', flowId)
    .where('dedupe_value', '=', dedupeValue)
    .where('status', 'in', ACTIVE_STATUSES);
  return (strength === 'update' ? active.forUpdate() : active.forKeyShare()).executeTakeFirst();
}

export async function hasActiveExecution(db: AnyDatabase, flowId: string): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('flows.execution')
    .select('id')
    .where('flow_id', '=', flowId)
    .where('status', 'in', ACTIVE_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Filter of a list of executions; the time bounds apply to the creation time. */
export interface ExecutionFilter extends TimeBounds, IdPage {
  /** A part of the flow's name, or of the id, to search for. */
  readonly query?: string | undefined;
  readonly flowId?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
}

/**
 * Tolerance in milliseconds for the times in ids. Ids ascend with time, but according to the clock of the process that
 * created them. Bounds on ids are therefore inexact, and only let the index skip distant rows.
 */
const CLOCK_SLACK_MS = 5 * 60_000;
const firstIdNear = (time: Date, slackMs: number): string => firstIdAt(new Date(time.getTime() + slackMs));

/** Lists executions newest first; one row more than requested shows whether there is another page. */
export function listExecutions(db: AnyDatabase, filter: ExecutionFilter): Promise<ExecutionRow[]> {
  const { flowId, status, since, until, query: text } = filter;
  return selectExecutions(db)
    .where('account_id', '=', filter.accountId)
    .$if(flowId !== undefined, (query) => query.where('flow_id', '=', flowId as string))
    .$if(status !== undefined, (query) => query.where('status', '=', status as ExecutionStatus))
    .$if(since !== undefined, (query) =>
      query.where('created_at', '>=', since as Date).where('id', '>=', firstIdNear(since as Date, -CLOCK_SLACK_MS)),
    )
    .$if(until !== undefined, (query) =>
      query.where('created_at', '<', until as Date).where('id', '<', firstIdNear(until as Date, CLOCK_SLACK_MS)),
    )
    .$if(text !== undefined, (query) => query.where(containsText([sql`flow_name`, sql`id`], text as string)))
    .$call((query) => pageById(query, filter))
    .execute();
}

export function updateExecution(
  trx: AnyTransaction,
  executionId: string,
  change: Updateable<ExecutionTable>,
): Promise<ExecutionRow> {
  return tables(trx)
    .updateTable('flows.execution')
    .set(change)
    .where('id', '=', executionId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
