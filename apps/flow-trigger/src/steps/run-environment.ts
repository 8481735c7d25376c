import type { Sandbox } from '../runner/runner.ts';

/** Variables every program of a run gets. */
export function buildRunEnvironment(sandbox: Pick<Sandbox, 'paths'>, executionId: string): Record<string, string> {
  return {
    STEWARD_EXECUTION_ID: executionId,
    STEWARD_PROMPT_FILE: sandbox.paths.promptFile,
    STEWARD_WORKSPACE: sandbox.paths.workspace,
  };
}

/** Git never asks for credentials, reads no configuration of the host and speaks no helper protocols. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/true',
  SSH_ASKPASS: '/bin/true',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
};
