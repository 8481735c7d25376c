import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isUuid } from '@steward/crypto';
import { StartupError } from '@steward/process';
import { RunFailure } from '../run/run-failure.ts';
import {
  buildExecArguments,
  buildInspectArguments,
  buildListArguments,
  buildRemoveArguments,
  buildRunArguments,
  CONTAINER_PATHS,
  renderVariables,
  type DockerOptions,
} from './docker-arguments.ts';
import { createGroupGuard, type GroupGuard } from './group-guard.ts';
import { runProcess } from './run-process.ts';
import type { Runner, RunnerCommand, RunnerExit, Sandbox, SandboxRequest } from './runner.ts';

export interface DockerRunnerOptions extends DockerOptions {
  readonly killAfterMs: number;
  /**
   * Variables of the docker client: the search path, and the variables that determine its engine and its credentials.
   * They contain no data of a flow.
   */
  readonly clientEnvironment: Readonly<Record<string, string>>;
  /** `uid:gid` of the programs. */
  readonly user: string | undefined;
}

/** Time limit for the start of a container, enough to pull a large image over a slow connection. */
const START_TIMEOUT_MS = 15 * 60_000;
const CLIENT_TIMEOUT_MS = 60_000;
/** Matches the hint that the client appends to its errors; the hint says nothing about the error itself. */
const HINT = /^(?:See|Run) 'docker [^']*'/;

/** Creates the runner that runs the programs of an execution in a separate container, through the docker client. */
export function createDockerRunner(options: DockerRunnerOptions): Runner & { check(): Promise<void> } {
  const guard = createGroupGuard();
  const client = (args: readonly string[], timeoutMs = CLIENT_TIMEOUT_MS): Promise<ClientAnswer> =>
    runClient(options, guard, { args, signal: AbortSignal.timeout(timeoutMs) });
  return {
    async check() {
      const answer = await client(['version', '--format={{.Server.Version}}'], 10_000);
      if (answer.exit.kind === 'exited' && answer.exit.code === 0) return;
      throw new StartupError(`FLOW_RUNNER=docker: the docker engine is not responding (${answer.lastLine})`);
    },
    open: (request) => Promise.resolve(openContainer(options, guard, request)),
    async discard(executionId) {
      await client(buildRemoveArguments(executionId));
    },
    async list() {
      const { exit, lines } = await client(buildListArguments());
      return exit.kind === 'exited' && exit.code === 0 ? lines.filter(isUuid) : [];
    },
    stop: () => guard.stop(),
  };
}

/**
 * Opens the sandbox of an execution. The container starts with the first program, and again after a program that had to
 * be ended: ending a program ends its container.
 */
function openContainer(options: DockerRunnerOptions, guard: GroupGuard, request: SandboxRequest): Sandbox {
  const { executionId, timeoutSeconds, workspace } = request;
  let isRunning = false;
  let programs = 0;

  async function start(signal: AbortSignal): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const args = buildRunArguments({ executionId, timeoutSeconds, workspace, user: options.user }, options);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
    const { exit, lastLine } = await runClient(options, guard, { args, signal: bounded });
    if (exit.kind === 'exited' && exit.code === 0) return;
    throw new RunFailure('runner_error', `The container could not be started: ${lastLine}`);
  }

  /** Throws if the container is no longer running, which the docker client reports as a failure of the program. */
  async function requireContainer(): Promise<void> {
    const { lines } = await runClient(options, guard, {
      args: buildInspectArguments(executionId),
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
    });
    if (lines.at(-1) === 'true') return;
    throw new RunFailure(
      'runner_error',
      'The container ended before its program: it was removed, or its image does not contain sleep.',
    );
  }

  async function remove(): Promise<void> {
    if (!isRunning) return;
    isRunning = false;
    await runClient(options, guard, {
      args: buildRemoveArguments(executionId),
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
    });
  }

  async function run(command: RunnerCommand): Promise<RunnerExit> {
    if (command.signal.aborted) return { kind: 'killed', signal: 'SIGKILL' };
    await start(command.signal);
    programs += 1;
    const variablesFile = `variables-${programs}.sh`;
    const path = resolve(workspace.input, variablesFile);
    const own = { HOME: CONTAINER_PATHS.home, TMPDIR: CONTAINER_PATHS.home, LANG: 'C.UTF-8' };
    await writeFile(path, renderVariables({ ...command.environment, ...own }), { mode: 0o600 });
    // The client normally ends when its container is removed; a client that continues to run is killed.
    const clientEnd = new AbortController();
    const onAbort = (): void => void remove().finally(() => clientEnd.abort());
    command.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const { exit } = await runProcess(
        {
          ...command,
          argv: ['docker', ...buildExecArguments(executionId, { argv: command.argv, variablesFile })],
          environment: {},
          signal: clientEnd.signal,
        },
        placeClient(options, guard),
      );
      if (command.signal.aborted) return { kind: 'killed', signal: 'SIGKILL' };
      if (exit.kind === 'exited' && exit.code !== 0) await requireContainer();
      return exit;
    } finally {
      command.signal.removeEventListener('abort', onAbort);
      await rm(path, { force: true });
    }
  }

  return { paths: CONTAINER_PATHS, hasOwnNetwork: false, run, close: remove };
}

interface ClientAnswer {
  readonly exit: RunnerExit;
  readonly lines: readonly string[];
  /** The last output line of the client or, if there is none, a description of its exit; used in messages. */
  readonly lastLine: string;
}

async function runClient(
  options: DockerRunnerOptions,
  guard: GroupGuard,
  call: { readonly args: readonly string[]; readonly signal: AbortSignal },
): Promise<ClientAnswer> {
  const lines: string[] = [];
  const { exit } = await runProcess(
    {
      argv: ['docker', ...call.args],
      environment: {},
      signal: call.signal,
      onLine: (line) => {
        if (line.trim() !== '' && !HINT.test(line)) lines.push(line.trim().slice(0, 500));
        return Promise.resolve();
      },
    },
    placeClient(options, guard),
  );
  return { exit, lines, lastLine: lines.at(-1) ?? describeExit(exit) };
}

function placeClient(options: DockerRunnerOptions, guard: GroupGuard) {
  return { directory: '/', environment: options.clientEnvironment, guard, killAfterMs: options.killAfterMs };
}

function describeExit(exit: RunnerExit): string {
  if (exit.kind === 'not_started') return exit.reason;
  return exit.kind === 'exited' ? `exit code ${exit.code}` : `ended by ${exit.signal}`;
}
