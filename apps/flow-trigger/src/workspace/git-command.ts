import { posix } from 'node:path';
import type { RunnableFlow } from '@steward/flows';

export type GitCloneConfig = NonNullable<RunnableFlow['git_clone_config']>;

export interface CloneOptions {
  /** Names of the transports that git may use. */
  readonly protocols: readonly string[];
  readonly timeoutSeconds: number;
}

/**
 * Builds the command of the clone. `--` ends the options, so that neither the URL nor the folder can be mistaken for an
 * option.
 */
export function buildCloneCommand(config: GitCloneConfig): [string, ...string[]] {
  const { branch, depth, repository_url: url, clone_path: path } = config;
  return [
    'git',
    ...['-c', 'core.symlinks=true'],
    // Git must not use a credential helper, which might prompt or use the credentials of this machine, and must not run
    // hooks.
    ...['-c', 'credential.helper=', '-c', 'core.hooksPath=/dev/null'],
    'clone',
    '--quiet',
    '--no-recurse-submodules',
    '--template=',
    ...(depth === undefined ? [] : [`--depth=${depth}`]),
    ...(branch === undefined ? [] : [`--branch=${branch}`]),
    '--',
    url,
    path === undefined ? '.' : posix.normalize(path),
  ];
}

/**
 * Returns environment variables with which git never prompts for credentials, reads no system configuration, and uses
 * only the given transports.
 */
export function buildGitEnvironment(protocols: readonly string[]): Readonly<Record<string, string>> {
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/true',
    SSH_ASKPASS: '/bin/true',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
  };
}

/** Returns the repository URL without user and password, for the log. */
export function describeRepository(url: string): string {
  if (!URL.canParse(url)) return 'the repository';
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
