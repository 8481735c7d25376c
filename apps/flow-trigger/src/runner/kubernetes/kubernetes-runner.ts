import { isUuid } from '@steward/crypto';
import { StartupError } from '@steward/process';
import type { NetworkOptions } from '../../network/run-network.ts';
import { RunFailure } from '../../run/run-failure.ts';
import { CONTAINER_PATHS } from '../docker-arguments.ts';
import { giveWorkspace } from '../give-workspace.ts';
import type { Runner, RunnerCommand, RunnerExit, Sandbox, SandboxRequest } from '../runner.ts';
import { watchDisk } from '../watch-disk.ts';
import { createClusterRuns, type ClusterRuns } from './cluster-runs.ts';
import { createKubernetesClient, type ClusterAccess } from './kubernetes-client.ts';
import type { PodOptions } from './pod-manifests.ts';
import { findDestinations, type ResolveHost, type RunDestinations } from './run-destinations.ts';
import { RunPod } from './run-pod.ts';

export interface KubernetesRunnerOptions extends PodOptions {
  readonly access: ClusterAccess;
  readonly network: NetworkOptions;
  readonly diskMegabytes: number;
  /** Pause between two checks of a pod that is starting or ending. */
  readonly pollMs?: number;
  /** The system's resolver, unless a test replaces the DNS server. */
  readonly resolve?: ResolveHost;
}

const POLL_MS = 1000;
/** User and group id of the pods if the worker runs as root: the security standard of the pods forbids root. */
const ORDINARY_ID = 1000;

/**
 * Creates the runner that runs the programs of an execution in a separate pod, which a Kubernetes job creates (ADR
 * 0082). The worker and the pod share the folders of the execution through a volume.
 * @throws StartupError if the cluster does not respond, or refuses access
 */
export async function createKubernetesRunner(options: KubernetesRunnerOptions): Promise<Runner> {
  try {
    const client = await createKubernetesClient(options.access);
    const cluster = createClusterRuns(client, options, options.pollMs ?? POLL_MS);
    await cluster.listExecutions();
    return {
      open: (request) => openSandbox(cluster, options, request),
      discard: (executionId) => cluster.removeExecution(executionId),
      list: async () => (await cluster.listExecutions()).filter(isUuid),
      stop: () => client.close(),
    };
  } catch (error) {
    throw new StartupError(`FLOW_RUNNER=kubernetes: the cluster cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Opens the sandbox of an execution. The pod starts with the first program, and again after a program that had to be
 * ended: ending a program ends its pod.
 */
async function openSandbox(
  cluster: ClusterRuns,
  options: KubernetesRunnerOptions,
  request: SandboxRequest,
): Promise<Sandbox> {
  const { executionId, timeoutSeconds, workspace, network } = request;
  if (network.secrets.length > 0)
    throw new RunFailure('setup_failed', 'network_secrets cannot be used: pods of runs have no proxy (FLOW_RUNNER)');
  const destinations = await findDestinations(options.network, network, options.resolve);
  const isRoot = process.getuid?.() === 0;
  const user = isRoot
    ? { uid: ORDINARY_ID, gid: ORDINARY_ID }
    : { uid: process.getuid?.() ?? ORDINARY_ID, gid: process.getgid?.() ?? ORDINARY_ID };
  if (isRoot) await giveWorkspace(workspace, user, false);
  const owner = isRoot ? user : undefined;
  let pod: OpenPod | undefined;
  let pods = 0;

  async function open(command: RunnerCommand, reachesRepository: boolean): Promise<OpenPod> {
    pods += 1;
    const { hosts, resolvesNames } = destinations;
    const job = await cluster.start({
      ...{ executionId, number: pods, workspace, timeoutSeconds, user, hosts, resolvesNames },
      egress: listEgress(destinations, reachesRepository),
      signal: command.signal,
      onWaiting: (reason) => network.note(`the pod waits for a node: ${reason}`, 'warn'),
    });
    const { memory } = options;
    return { job, reachesRepository, programs: new RunPod({ cluster, job, workspace, owner, memory }) };
  }

  async function close(): Promise<void> {
    const closing = pod;
    pod = undefined;
    await closing?.programs.remove();
  }

  return {
    paths: CONTAINER_PATHS,
    ...(owner === undefined ? {} : { owner }),
    hasOwnNetwork: true,
    close,
    async run(command): Promise<RunnerExit> {
      if (command.talk !== undefined) throw new Error('no connection to a program in a pod is possible');
      if (command.signal.aborted) return { kind: 'killed', signal: 'SIGKILL' };
      const reachesRepository = command.reachesRepository === true;
      const disk = watchDisk(workspace.root, options.diskMegabytes);
      try {
        pod = await (pod === undefined
          ? open(command, reachesRepository)
          : changeEgress(cluster, pod, { destinations, reachesRepository }));
        const exit = await pod.programs.run({ ...command, signal: AbortSignal.any([command.signal, disk.signal]) });
        if (exit.kind === 'killed') await close();
        if (!disk.signal.aborted) return exit;
        const limit = `${options.diskMegabytes} MB on disk (FLOW_MAX_DISK_MB)`;
        return { kind: 'killed', signal: 'SIGKILL', limit };
      } catch (error) {
        if (command.signal.aborted) return { kind: 'killed', signal: 'SIGKILL' };
        throw error;
      } finally {
        disk.stop();
      }
    },
  };
}

interface OpenPod {
  readonly job: string;
  readonly programs: RunPod;
  readonly reachesRepository: boolean;
}

function listEgress({ egress, clone }: RunDestinations, reachesRepository: boolean): RunDestinations['egress'] {
  return reachesRepository ? [...egress, ...clone] : egress;
}

/** Changes the destinations that the pod may reach: the server of the repository is reachable only during the clone. */
async function changeEgress(
  cluster: ClusterRuns,
  pod: OpenPod,
  wanted: { readonly destinations: RunDestinations; readonly reachesRepository: boolean },
): Promise<OpenPod> {
  const { destinations, reachesRepository } = wanted;
  if (pod.reachesRepository === reachesRepository) return pod;
  await cluster.setEgress(pod.job, listEgress(destinations, reachesRepository));
  return { ...pod, reachesRepository };
}
