import type { Workspace } from './prepare-workspace.ts';

/** Variables every program of a run gets; nothing of the worker's own environment but the search path. */
export function buildRunEnvironment(
  workspace: Workspace,
  run: { readonly executionId: string; readonly path: string },
): Record<string, string> {
  return {
    PATH: run.path,
    HOME: workspace.home,
    LANG: 'C.UTF-8',
    TMPDIR: workspace.home,
    STEWARD_EXECUTION_ID: run.executionId,
    STEWARD_PROMPT_FILE: workspace.promptFile,
    STEWARD_WORKSPACE: workspace.directory,
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
