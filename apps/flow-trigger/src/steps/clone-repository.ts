import { posix } from 'node:path';
import type { RunnableFlow } from '@steward/slice-flows';
import { RunFailure } from '../run-failure.ts';
import type { Run } from '../run-steps.ts';
import { execute, requireSuccess } from './execute.ts';

export type GitCloneConfig = NonNullable<RunnableFlow['git_clone_config']>;

export interface CloneOptions {
  /** Transports git may use, as its own names. */
  readonly protocols: readonly string[];
  readonly timeoutSeconds: number;
}

/** Clones the flow's repository into the empty workspace. @throws RunFailure `setup_failed` */
export async function cloneRepository(
  run: Run,
  options: CloneOptions,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { git_clone_config: config } = run.flow;
  if (config === null) return;
  for (const secret of listCredentials(config.repository_url)) run.log.hide(secret);
  await run.log.write('git_clone', `cloning ${describeRepository(config.repository_url)}`);
  const timeout = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const bounded = { ...run, signal: AbortSignal.any([run.signal, timeout]) };
  const variables = { ...environment, ...buildGitEnvironment(options.protocols) };
  const exit = await execute(bounded, 'git_clone', buildCloneCommand(config), variables);
  if (timeout.aborted && !run.signal.aborted)
    throw new RunFailure('setup_failed', `the git clone took longer than ${options.timeoutSeconds} s`);
  requireSuccess(exit, 'setup_failed', 'the git clone');
}

/** Arguments of the clone. `--` ends the options, so neither URL nor folder can be taken for one. */
export function buildCloneCommand(config: GitCloneConfig): [string, ...string[]] {
  const { branch, depth, repository_url: url, clone_path: path } = config;
  return [
    'git',
    ...['-c', 'core.symlinks=true'],
    // No helper that might ask or hand out the credentials of this machine, no program of a template.
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

/** Git never asks for credentials, reads no configuration of the host and speaks the given transports only. */
export function buildGitEnvironment(protocols: readonly string[]): Readonly<Record<string, string>> {
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/true',
    SSH_ASKPASS: '/bin/true',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
  };
}

/** The repository without user and password, for the log. */
export function describeRepository(url: string): string {
  if (!URL.canParse(url)) return 'the repository';
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}

/** User and password of a URL as git may quote them: both a token's place. */
function listCredentials(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  const given = [password, ...(password === '' && username !== 'git' ? [username] : [])].filter((text) => text !== '');
  return given.flatMap((text) => [text, decode(text)]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
