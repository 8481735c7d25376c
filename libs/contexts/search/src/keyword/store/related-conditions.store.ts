/*
 * Filters on columns that are not in the row of a chunk or a vector itself. Their values, except labels, are looked up
 * by key for each remaining row, in a scalar subquery, which the planner cannot turn into a join that first reads all
 * sessions or tool calls of an account.
 */
import type { ChunkFilter } from '../chunk-filter.ts';

interface FilterScope {
  readonly accountId: string;
  readonly filter: ChunkFilter;
}
type AddParam = (value: unknown) => string;

/** Returns the conditions on the session of a row. */
export function listOfSession({ accountId, filter }: FilterScope, param: AddParam): string[] {
  const { exceptSessionId, label, sessionSourceType } = filter;
  const conditions: string[] = [];
  if (exceptSessionId !== undefined) conditions.push(`runtime_session_id <> ${param(exceptSessionId)}::uuid`);
  if (label !== undefined)
    conditions.push(`runtime_session_id in (select runtime_session_id from search.session_label
      where account_id = ${param(accountId)}::uuid and label = ${param(label)})`);
  if (sessionSourceType !== undefined)
    conditions.push(`(select own.session_source_type from gateway.runtime_session own
      where own.account_id = ${param(accountId)}::uuid and own.id = runtime_session_id) = ${param(sessionSourceType)}`);
  return conditions;
}

/**
 * Returns the condition on the name of the called tool. The name is read from the content, so the condition also works
 * for chunks that were indexed before this filter existed.
 */
export function listOfTool({ accountId, filter: { toolName } }: FilterScope, param: AddParam): string[] {
  if (toolName === undefined) return [];
  return [
    `case when source_kind = 'tool_call' then (select made.tool_name from gateway.session_content made
      where made.account_id = ${param(accountId)}::uuid and made.id = source_id::uuid) = ${param(toolName)} else false end`,
  ];
}

/** Returns the conditions on the chunk of a vector. */
export function listOfChunk(scope: FilterScope, param: AddParam): string[] {
  const { status } = scope.filter;
  const asked = [...(status === undefined ? [] : [`status = ${param(status)}`]), ...listOfTool(scope, param)];
  if (asked.length === 0) return [];
  return [
    `(select ${asked.join(' and ')} from search.chunk
      where chunk.account_id = ${param(scope.accountId)}::uuid and chunk.id = chunk_id)`,
  ];
}
