/*
 * Filters on what a chunk, or a vector, does not say itself. It is looked up by a key for each row that is left: as a scalar, which the
 * planner cannot turn into a join that reads all sessions or all tool calls of an account first.
 */
import type { ChunkFilter } from '../chunk-filter.ts';

interface FilterScope {
  readonly accountId: string;
  readonly filter: ChunkFilter;
}
type AddParam = (value: unknown) => string;

/** Of the session of a row. */
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

/** Of a chunk: its content names the tool, also where it was indexed before anybody could ask for it. */
export function listOfTool({ accountId, filter: { toolName } }: FilterScope, param: AddParam): string[] {
  if (toolName === undefined) return [];
  return [
    `case when source_kind = 'tool_call' then (select made.tool_name from gateway.session_content made
      where made.account_id = ${param(accountId)}::uuid and made.id = source_id::uuid) = ${param(toolName)} else false end`,
  ];
}

/** Of the chunk of a vector. */
export function listOfChunk(scope: FilterScope, param: AddParam): string[] {
  const { status } = scope.filter;
  const asked = [...(status === undefined ? [] : [`status = ${param(status)}`]), ...listOfTool(scope, param)];
  if (asked.length === 0) return [];
  return [
    `(select ${asked.join(' and ')} from search.chunk
      where chunk.account_id = ${param(scope.accountId)}::uuid and chunk.id = chunk_id)`,
  ];
}
