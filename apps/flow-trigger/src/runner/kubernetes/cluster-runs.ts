import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { RunFailure } from '../../run/run-failure.ts';
import { KubernetesError, type KubernetesClient } from './kubernetes-client.ts';
import {
  buildJob,
  buildPolicy,
  nameJob,
  readExecution,
  renderEgress,
  RUN_SELECTOR,
  selectExecution,
  type EgressRule,
  type PodOptions,
  type PodRequest,
} from './pod-manifests.ts';
import { readPodState, type Pod, type PodState } from './pod-state.ts';

interface Job {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface List<T> {
  readonly items: readonly T[];
}

export interface StartRequest extends PodRequest {
  readonly egress: readonly EgressRule[];
  readonly signal: AbortSignal;
  /** Called once if the pod is waiting for a node to be assigned. */
  readonly onWaiting: (reason: string) => void;
}

/** Requests to the cluster for the jobs, pods and network policies of runs in one namespace. */
export interface ClusterRuns {
  readonly pollMs: number;
  /** Starts a pod and waits until it is running. Returns the name of the pod's job. @throws RunFailure */
  start(request: StartRequest): Promise<string>;
  setEgress(job: string, egress: readonly EgressRule[]): Promise<void>;
  findPod(job: string): Promise<Pod | undefined>;
  followLog(
    job: string,
    options: { readonly since: string | undefined; readonly signal: AbortSignal },
  ): Promise<Readable>;
  /**
   * Removes a job and waits until its pod is gone. The waiting time is limited, because a lost node never reports the
   * removal.
   */
  removeJob(job: string): Promise<void>;
  removeExecution(executionId: string): Promise<void>;
  listExecutions(): Promise<string[]>;
}

/** Time limit for the start of a pod, enough to add a node, and to pull a large image. */
const START_TIMEOUT_MS = 15 * 60_000;
const GONE_TIMEOUT_MS = 30_000;

export function createClusterRuns(client: KubernetesClient, options: PodOptions, pollMs: number): ClusterRuns {
  const jobs = `/apis/batch/v1/namespaces/${options.namespace}/jobs`;
  const policies = `/apis/networking.k8s.io/v1/namespaces/${options.namespace}/networkpolicies`;
  const pods = `/api/v1/namespaces/${options.namespace}/pods`;
  const select = (selector: string): string => `?labelSelector=${encodeURIComponent(selector)}`;
  const ofJob = (job: string): string => select(`batch.kubernetes.io/job-name=${job}`);

  const findPod = async (job: string): Promise<Pod | undefined> => (await listPods(ofJob(job)))[0];

  /**
   * Creates an object. If an object with this name already exists, an earlier request created it, and the response to
   * that request was lost. The existing object is then returned, so that no execution is run twice.
   */
  async function create<T>(path: string, name: string, body: object): Promise<T> {
    try {
      return await client.call<T>('POST', path, body);
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
      return client.call<T>('GET', `${path}/${name}`);
    }
  }

  async function remove(job: string): Promise<void> {
    try {
      await client.call('DELETE', `${jobs}/${job}?propagationPolicy=Background`);
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
    }
  }

  const listPods = async (query: string): Promise<readonly Pod[]> =>
    (await client.call<List<Pod>>('GET', `${pods}${query}`)).items;
  const waitUntilGone = (query: string): Promise<void> => untilGone(() => listPods(query), pollMs);

  return {
    pollMs,
    findPod,
    async start(request) {
      const { executionId, number, egress } = request;
      const job = nameJob(executionId, number);
      try {
        const { metadata } = await create<Job>(jobs, job, buildJob(request, options));
        const policy = { executionId, number, namespace: options.namespace, jobUid: metadata.uid, egress };
        await create(policies, job, buildPolicy(policy));
        await client.call('PATCH', `${jobs}/${job}`, { spec: { suspend: false } });
        await untilRunning(() => findPod(job), pollMs, request);
        return job;
      } catch (error) {
        await remove(job).catch(() => undefined);
        if (error instanceof KubernetesError)
          throw new RunFailure('runner_error', `The pod could not be started: ${error.message}`, { cause: error });
        throw error;
      }
    },
    async setEgress(job, egress) {
      await client.call('PATCH', `${policies}/${job}`, { spec: { egress: renderEgress(egress) } });
    },
    async followLog(job, { since, signal }) {
      const pod = await findPod(job);
      if (pod === undefined) throw new Error('there is no pod');
      const from = since === undefined ? '' : `&sinceTime=${encodeURIComponent(since)}`;
      const query = `container=run&follow=true&timestamps=true${from}`;
      return client.follow(`${pods}/${pod.metadata.name}/log?${query}`, signal);
    },
    async removeJob(job) {
      await remove(job);
      await waitUntilGone(ofJob(job));
    },
    async removeExecution(executionId) {
      const query = select(selectExecution(executionId));
      const { items } = await client.call<List<Job>>('GET', `${jobs}${query}`);
      for (const { metadata } of items) await remove(metadata.name);
      await waitUntilGone(query);
    },
    async listExecutions() {
      const { items } = await client.call<List<Job>>('GET', `${jobs}${select(RUN_SELECTOR)}`);
      return [...new Set(items.flatMap(({ metadata }) => readExecution(metadata.labels) ?? []))];
    },
  };
}

async function untilGone(list: () => Promise<readonly Pod[]>, pollMs: number): Promise<void> {
  const deadline = Date.now() + GONE_TIMEOUT_MS;
  while ((await list()).length > 0 && Date.now() < deadline) await delay(pollMs);
}

async function untilRunning(
  find: () => Promise<Pod | undefined>,
  pollMs: number,
  { signal, onWaiting }: StartRequest,
): Promise<void> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  let isMade = false;
  let isSaid = false;
  for (;;) {
    const pod = await find();
    isMade ||= pod !== undefined;
    // The job controller creates the pod a moment after the job is resumed.
    const state: PodState = isMade ? readPodState(pod) : { kind: 'waiting' };
    if (state.kind === 'running') return;
    if (state.kind === 'over') throw new RunFailure('runner_error', `The pod did not start: ${state.reason}`);
    if (state.reason !== undefined && !isSaid) onWaiting(state.reason);
    isSaid ||= state.reason !== undefined;
    await delay(pollMs, undefined, { signal: bounded }).catch(() => undefined);
    if (bounded.aborted) throw new RunFailure('runner_error', 'The pod did not start in time.');
  }
}
