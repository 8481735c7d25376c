import { rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { openRunNetwork, type NetworkOptions, type RunNetwork } from '../network/run-network.ts';
import type { Workspace } from '../workspace/prepare-workspace.ts';
import { writeInputFile } from '../workspace/write-input-file.ts';
import { createAgentCgroup, removeAgentCgroup, type AgentCgroup } from './agent-cgroup.ts';
import { buildPrlimitArguments, type AgentLimits } from './agent-limits.ts';
import { createAgentUsers, type AgentUser, type AgentUsers } from './agent-users.ts';
import { renderVariables } from './docker-arguments.ts';
import { endUserProcesses, removeUserFiles } from './end-user-processes.ts';
import { explainLimit } from './explain-limit.ts';
import { giveWorkspace } from './give-workspace.ts';
import { createGroupGuard, type GroupGuard } from './group-guard.ts';
import type { HiddenPaths } from './hidden-paths.ts';
import type { Isolation } from './isolation.ts';
import { planMounts } from './plan-mounts.ts';
import { runProcess } from './run-process.ts';
import type { Runner, RunnerCommand, RunnerExit, Sandbox, SandboxRequest } from './runner.ts';
import { buildNetworkArguments, buildSetupScript, buildUnshareArguments, INIT_SCRIPT } from './sandbox-script.ts';
import { readSandboxStatus } from './sandbox-status.ts';
import { watchDisk } from './watch-disk.ts';

export interface ProcessRunnerOptions {
  /** Time between SIGTERM and SIGKILL. */
  readonly killAfterMs: number;
  /** Search path of the programs; no other variable of the worker's environment reaches them. */
  readonly path: string;
  readonly isolation: Isolation;
  readonly network: NetworkOptions;
  readonly limits: AgentLimits;
  /**
   * Returns the paths to hide; called before each program, because secrets may have been added since the worker
   * started.
   */
  readonly findHidden: () => HiddenPaths;
  /** Folders that programs running as the worker's user may read but not change. */
  readonly frozen: readonly string[];
  readonly workDirectory: string;
  /** Folder in which workers of this machine record which users are taken. */
  readonly claimDirectory: string;
}

/** Search path for programs that the worker itself runs to set up a sandbox; a flow must not be able to choose them. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Creates the runner that runs programs as children of the worker, isolated as `isolation` states. The programs end
 * with their run, and with the worker.
 */
export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  const guard = createGroupGuard();
  const users =
    options.isolation.users === undefined
      ? undefined
      : createAgentUsers(options.isolation.users, options.claimDirectory);
  return {
    open: (request) => openSandbox({ ...options, guard, users }, request),
    async discard(executionId) {
      // Normally, the guard of the crashed worker has already ended all processes of the run's user; this ends them if
      // the guard could not, for example because it was killed as well.
      const owner = await stat(resolve(options.workDirectory, executionId, 'run', 'workspace')).catch(() => undefined);
      if (owner !== undefined && users?.includes(owner.uid) === true)
        await endUserProcesses({ uid: owner.uid, gid: owner.gid });
      if (options.isolation.cgroups !== undefined) await removeAgentCgroup(options.isolation.cgroups, executionId);
    },
    list: () => Promise.resolve([]),
    stop: () => guard.stop(),
  };
}

interface SandboxDeps extends ProcessRunnerOptions {
  readonly guard: GroupGuard;
  readonly users: AgentUsers | undefined;
}

async function openSandbox(deps: SandboxDeps, request: SandboxRequest): Promise<Sandbox> {
  const { executionId, workspace } = request;
  const { isolation, users, limits } = deps;
  const user = await users?.claim(resolve(workspace.root, '..'));
  let cgroup: AgentCgroup | undefined;
  let network: RunNetwork | undefined;
  try {
    if (user !== undefined) await giveWorkspace(workspace, user, isolation.namespaces);
    if (isolation.cgroups !== undefined) cgroup = createAgentCgroup(isolation.cgroups, executionId, limits);
    if (isolation.network) network = await openRunNetwork(deps.network, request.network, user === undefined);
  } catch (error) {
    if (user !== undefined) users?.release(user);
    await cgroup?.remove();
    throw error;
  }
  if (user !== undefined) deps.guard.watchUser(user.uid);
  const parts: SandboxParts = { deps, workspace, user, cgroup, network };
  return {
    paths: { workspace: workspace.directory, promptFile: workspace.promptFile },
    ...(user === undefined ? {} : { owner: user }),
    hasOwnNetwork: network !== undefined,
    run: (command) => runInSandbox(parts, command),
    async close() {
      network?.close();
      if (user !== undefined) {
        await endUserProcesses(user);
        if (!isolation.namespaces) await removeUserFiles(user);
        deps.guard.releaseUser(user.uid);
        users?.release(user);
      }
      await cgroup?.remove();
    },
  };
}

interface SandboxParts {
  readonly deps: SandboxDeps;
  readonly workspace: Workspace;
  readonly user: AgentUser | undefined;
  readonly cgroup: AgentCgroup | undefined;
  readonly network: RunNetwork | undefined;
}

async function runInSandbox(parts: SandboxParts, command: RunnerCommand): Promise<RunnerExit> {
  const { deps, workspace, user, cgroup, network } = parts;
  if (command.signal.aborted) return { kind: 'killed', signal: 'SIGTERM' };
  const disk = watchDisk(workspace.root, deps.limits.diskMegabytes);
  const variablesFile = await writeVariables(parts, command.environment);
  network?.setCloning(command.reachesRepository === true);
  try {
    const { exit, told } = await runProcess(
      {
        ...command,
        argv: buildSandboxCommand(parts, command, variablesFile),
        environment: {},
        signal: AbortSignal.any([command.signal, disk.signal]),
      },
      {
        directory: '/',
        environment: { PATH: SYSTEM_PATH, LANG: 'C.UTF-8' },
        guard: deps.guard,
        killAfterMs: deps.killAfterMs,
        hasStatus: true,
        files: network === undefined ? [] : listFiles(network),
      },
    );
    // Without namespaces, processes that left the process group are found by their user.
    if (user !== undefined && !deps.isolation.namespaces) await endUserProcesses(user);
    const status = readSandboxStatus(told, command.argv[0]);
    if (status.kind === 'no_sandbox') {
      if (command.signal.aborted) return { kind: 'killed', signal: 'SIGTERM' };
      const end = status.reason === '' ? JSON.stringify(exit) : status.reason;
      throw new Error(`the sandbox could not be set up: ${end}`);
    }
    return explainLimit(status, { limits: deps.limits, cgroup, isDiskFull: disk.signal.aborted });
  } finally {
    network?.setCloning(false);
    disk.stop();
    await rm(resolve(workspace.input, variablesFile), { force: true });
  }
}

/**
 * Writes the variables to a file, and returns its name. They are not passed on the command line, which is visible to
 * other users, or in the environment, where a variable such as LD_PRELOAD would affect the programs that set up the
 * sandbox.
 */
async function writeVariables(
  { deps, workspace, user, network }: SandboxParts,
  given: Readonly<Record<string, string>>,
): Promise<string> {
  const own = { PATH: deps.path, HOME: workspace.home, TMPDIR: workspace.home, LANG: 'C.UTF-8' };
  const name = `variables-${randomUUID()}.sh`;
  await writeInputFile(workspace, {
    name,
    text: renderVariables({ ...network?.environment, ...given, ...own }),
    owner: user,
  });
  return name;
}

function buildSandboxCommand(
  parts: SandboxParts,
  command: RunnerCommand,
  variablesFile: string,
): [string, ...string[]] {
  const { deps, workspace, user, cgroup, network } = parts;
  const { isolation, limits } = deps;
  const bounds = new Set<'processes' | 'memory'>();
  // A cgroup limits the processes and memory of all programs of the run together, and reports which limit was reached.
  // Without one, prlimit limits the memory of each process and, if possible, the number of processes.
  if (cgroup === undefined) {
    bounds.add('memory');
    if (isolation.namespaces || user !== undefined) bounds.add('processes');
  }
  const script = buildSetupScript({
    user,
    cgroups: cgroup?.folders ?? [],
    prlimitArguments: buildPrlimitArguments(limits, bounds),
    directory: workspace.directory,
    ...(isolation.namespaces
      ? {
          mounts: planMounts({
            workspace,
            user,
            hidden: deps.findHidden(),
            frozen: deps.frozen,
            hasOwnTemporary: command.seesTemporaryFolders !== true,
            hosts: network?.hosts,
          }),
        }
      : {}),
  });
  const namespaces = isolation.namespaces ? buildUnshareArguments(user === undefined) : [];
  const entered = network === undefined ? [] : buildNetworkArguments(user === undefined);
  const [file = '/bin/sh', ...args] = [...entered, ...namespaces, '/bin/sh', '-c', script, INIT_SCRIPT];
  return [file, ...args, resolve(workspace.input, variablesFile), ...command.argv];
}

/** Returns the files in the order of their descriptors. */
function listFiles({ files }: RunNetwork): number[] {
  return files.user === undefined ? [files.network] : [files.network, files.user];
}
