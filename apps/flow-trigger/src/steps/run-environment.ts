import type { Sandbox } from '../runner/runner.ts';

/** Variables every program of a run gets. */
export function buildRunEnvironment(sandbox: Pick<Sandbox, 'paths'>, executionId: string): Record<string, string> {
  return {
    STEWARD_EXECUTION_ID: executionId,
    STEWARD_PROMPT_FILE: sandbox.paths.promptFile,
    STEWARD_WORKSPACE: sandbox.paths.workspace,
  };
}
