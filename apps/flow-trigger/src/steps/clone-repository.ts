import { posix } from 'node:path';
import type { RunnableFlow } from '@steward/slice-flows';

type GitCloneConfig = NonNullable<RunnableFlow['git_clone_config']>;

/** Arguments of the clone. `--` ends the options, so neither URL nor folder can be taken for one. */
export function buildCloneCommand(config: GitCloneConfig): [string, ...string[]] {
  const { branch, depth, repository_url: url, clone_path: path } = config;
  return [
    'git',
    '-c',
    'core.symlinks=true',
    'clone',
    '--quiet',
    '--no-recurse-submodules',
    ...(depth === undefined ? [] : ['--depth', String(depth)]),
    ...(branch === undefined ? [] : ['--branch', branch]),
    '--',
    url,
    path === undefined ? '.' : posix.normalize(path),
  ];
}

/** The repository without user and password, for the log. */
export function describeRepository(url: string): string {
  if (!URL.canParse(url)) return 'the repository';
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
