import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { StartupError } from '@steward/process';
import type { FlowTriggerSettings } from '../config.ts';
import { describeService } from '../network/describe-service.ts';
import { parseUidRange } from './agent-users.ts';
import { createDockerRunner } from './docker-runner.ts';
import { detectIsolation } from './detect-isolation.ts';
import { chooseKubernetesRunner } from './kubernetes/choose-kubernetes-runner.ts';
import { findHiddenPaths, type HiddenPaths } from './hidden-paths.ts';
import { describeIsolation, isApart, type Isolation } from './isolation.ts';
import { createProcessRunner } from './process-runner.ts';
import type { ChosenRunner, Runner } from './runner.ts';

const LONGEST_KILL_AFTER_MS = 5000;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
/** Environment variables from which the docker client determines its engine and its credentials. */
const DOCKER_VARIABLES = [
  'HOME',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_TLS_VERIFY',
  'DOCKER_CERT_PATH',
  'SSH_AUTH_SOCK',
];

/**
 * Creates the runner that `FLOW_RUNNER` names. @throws StartupError if the runner cannot be used with these settings on
 * this machine, or if nothing would separate agents from the service
 */
export async function createRunner(
  settings: FlowTriggerSettings,
  environment: NodeJS.ProcessEnv,
): Promise<ChosenRunner> {
  const path = environment.PATH ?? DEFAULT_PATH;
  // A worker that stops has to end its runs, and close its database connections, within its deadline.
  const killAfterMs = Math.min(LONGEST_KILL_AFTER_MS, settings.stopDeadlineSeconds * 200);
  if (settings.runner === 'process') return chooseProcessRunner(settings, environment, { killAfterMs, path });
  if (settings.runner === 'kubernetes') return chooseKubernetesRunner(settings, environment);
  const given = DOCKER_VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (settings.network === 'isolated')
    throw new StartupError(
      'FLOW_NETWORK=isolated needs FLOW_RUNNER=process; containers use the network in FLOW_DOCKER_NETWORK',
    );
  const runner = createDockerRunner({
    image: settings.dockerImage,
    network: settings.dockerNetwork,
    memory: settings.dockerMemory,
    cpus: settings.dockerCpus,
    pidsLimit: settings.dockerPidsLimit,
    pull: settings.dockerPull,
    killAfterMs,
    clientEnvironment: { PATH: path, ...Object.fromEntries(given) },
    user: process.getuid === undefined ? undefined : `${process.getuid()}:${process.getgid?.() ?? 0}`,
  });
  await runner.check();
  const separation = `a separate container per run (docker), the network "${settings.dockerNetwork}" (network_allow is not enforced)`;
  return { runner, separation, isApart: true, hasOwnNetwork: false };
}

async function chooseProcessRunner(
  settings: FlowTriggerSettings,
  environment: NodeJS.ProcessEnv,
  how: { readonly killAfterMs: number; readonly path: string },
): Promise<ChosenRunner> {
  const { workDirectory } = settings;
  const isRoot = process.getuid?.() === 0;
  // The folder is created before the paths to hide are determined, because otherwise it would not be hidden from the
  // first agent.
  mkdirSync(settings.evidenceDirectory, { recursive: true, mode: 0o750 });
  const findHidden = (hasOwnNetwork: boolean): HiddenPaths =>
    findHiddenPaths({
      hasOwnNetwork,
      environment,
      wanted: settings.hiddenPaths,
      evidenceDirectory: settings.evidenceDirectory,
      isSameUser: !isRoot,
    });
  const create = (isolation: Isolation): Runner =>
    createProcessRunner({
      ...how,
      isolation,
      network: describeService(settings),
      workDirectory,
      claimDirectory: findClaimDirectory(workDirectory),
      limits: {
        processes: settings.maxProcesses,
        memoryMegabytes: settings.maxMemoryMegabytes,
        openFiles: settings.maxOpenFiles,
        fileMegabytes: settings.maxFileMegabytes,
        diskMegabytes: settings.maxDiskMegabytes,
        cpuSeconds: settings.maxCpuSeconds,
      },
      findHidden: () => findHidden(isolation.network),
      frozen: isRoot ? [] : listOwnFolders(environment),
    });
  const isolation = await detectIsolation({
    wanted: settings.isolation,
    network: settings.network,
    trustsAgents: settings.trustsAgents,
    users: parseUidRange(settings.agentUids),
    isRoot,
    workDirectory,
    hidden: findHidden(false),
    createRunner: create,
  });
  const separation = describeIsolation(isolation);
  return { runner: create(isolation), separation, isApart: isApart(isolation), hasOwnNetwork: isolation.network };
}

/**
 * Returns a folder that the workers of this machine share and that agents cannot access. In a container, only its
 * volumes may be writable.
 */
function findClaimDirectory(workDirectory: string): string {
  try {
    accessSync('/run', constants.W_OK);
    return '/run/steward-agent-users';
  } catch {
    return resolve(workDirectory, '.agent-users', hostname());
  }
}

/**
 * Returns the folders in which an agent that runs as the worker's user could change the next start of the service: the
 * home of the user, and the code of the service.
 */
function listOwnFolders(environment: NodeJS.ProcessEnv): string[] {
  const given = [environment.HOME, process.cwd(), dirname(process.argv[1] ?? '/')];
  const found = given.flatMap((path) => (path !== undefined && existsSync(path) ? [realpathSync(path)] : []));
  return [...new Set(found)].filter((path) => path !== '/');
}
