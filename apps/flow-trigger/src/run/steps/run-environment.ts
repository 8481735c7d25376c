import type { ClaimedExecution } from '@steward/flows';
import type { Sandbox } from '../../runner/runner.ts';

/** Returns the variables that every program of a run gets. */
export function buildRunEnvironment(
  sandbox: Pick<Sandbox, 'paths'>,
  execution: Pick<ClaimedExecution, 'id' | 'traceparent'>,
): Record<string, string> {
  return {
    STEWARD_EXECUTION_ID: execution.id,
    STEWARD_PROMPT_FILE: sandbox.paths.promptFile,
    STEWARD_WORKSPACE: sandbox.paths.workspace,
    // Tracing libraries and CI tools read this variable.
    TRACEPARENT: execution.traceparent,
  };
}
