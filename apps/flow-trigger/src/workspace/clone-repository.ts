import { posix } from 'node:path';
import { RunFailure } from '../run/run-failure.ts';
import type { StepContext } from '../run/run.ts';
import { requireSuccess, runStepProcess } from '../run/steps/run-step-process.ts';
import { buildCloneCommand, buildGitEnvironment, describeRepository, type CloneOptions } from './git-command.ts';
import { writeInputFile } from './write-input-file.ts';

const GIT_CONFIG = 'gitconfig';

/** Clones the flow's repository, if there is one, into the empty workspace. @throws RunFailure `setup_failed` */
export async function cloneRepository(
  run: StepContext,
  options: CloneOptions,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { git_clone_config: config } = run.flow;
  if (config === null) return;
  for (const secret of listCredentials(config.repository_url)) run.log.hide(secret);
  if (namesRepositoryData(config.clone_path)) throw new RunFailure('setup_failed', 'the clone path has a .git segment');
  await run.log.write('git_clone', `cloning ${describeRepository(config.repository_url)}`);
  const timeout = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const bounded = { ...run, signal: AbortSignal.any([run.signal, timeout]) };
  // Git refuses a repository that belongs to another user, unless its folder is declared safe. If agents have their own
  // users, a repository on this machine belongs to another user.
  await writeInputFile(run.workspace, {
    name: GIT_CONFIG,
    text: '[safe]\n\tdirectory = *\n',
    owner: run.sandbox.owner,
  });
  const variables = {
    ...environment,
    ...buildGitEnvironment(options.protocols),
    GIT_CONFIG_GLOBAL: posix.join(posix.dirname(run.sandbox.paths.promptFile), GIT_CONFIG),
  };
  const exit = await runStepProcess(bounded, 'git_clone', buildCloneCommand(config), variables, {
    seesTemporaryFolders: true,
    reachesRepository: true,
  });
  if (timeout.aborted && !run.signal.aborted)
    throw new RunFailure('setup_failed', `the git clone exceeded ${options.timeoutSeconds} s`);
  requireSuccess(exit, 'setup_failed', 'the git clone');
}

/**
 * Returns whether a path has a `.git` segment. The routes also refuse such a path, but a flow may be older than this
 * rule of the routes.
 */
function namesRepositoryData(path: string | undefined): boolean {
  return path !== undefined && path.split('/').some((segment) => /^\.git[. ]*$/i.test(segment));
}

/**
 * Returns the password of a URL or, if there is none, its user name, which may be a token (unless it is `git`); in
 * encoded and in decoded form, because git may quote either form.
 */
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
