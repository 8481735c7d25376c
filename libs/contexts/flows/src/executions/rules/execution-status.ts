/**
 * Statuses of an execution, in their order (EXEC-1): PENDING -> INITIALIZING -> RUNNING -> SUCCEEDED, FAILED or
 * STOPPED. An execution can also fail or be stopped before it is RUNNING.
 */
export const EXECUTION_STATUSES = ['PENDING', 'INITIALIZING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPED'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const ACTIVE_STATUSES = ['PENDING', 'INITIALIZING', 'RUNNING'] as const;
export type TerminalStatus = Exclude<ExecutionStatus, (typeof ACTIVE_STATUSES)[number]>;

export const FAILURE_CATEGORIES = [
  'setup_failed',
  'workspace_rejected',
  'agent_error',
  'tool_error',
  'model_error',
  'timeout',
  'cancelled',
  'runner_error',
  'unknown',
] as const;
export type FailureCategory = (typeof FAILURE_CATEGORIES)[number];

export function isTerminal(status: ExecutionStatus): status is TerminalStatus {
  return !ACTIVE_STATUSES.includes(status as (typeof ACTIVE_STATUSES)[number]);
}
