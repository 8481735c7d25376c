/** Fields of a pod that the worker reads. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly containerStatuses?: readonly { readonly state?: ContainerState }[];
  };
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: object;
  readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
}

export type PodState =
  | { readonly kind: 'waiting'; /** Why no node is assigned yet. */ readonly reason?: string }
  | { readonly kind: 'running' }
  /** The pod has ended, or will not start. */
  | { readonly kind: 'over'; readonly reason: string; readonly isOutOfMemory: boolean };

/** Values of a container's waiting reason for problems that do not resolve by themselves. */
const FINAL = new Set([
  ...['CreateContainerConfigError', 'CreateContainerError', 'ErrImageNeverPull', 'ImageInspectError'],
  ...['ImagePullBackOff', 'InvalidImageName', 'RunContainerError'],
]);

/** Describes the state of the pod of a run. */
export function readPodState(pod: Pod | undefined): PodState {
  if (pod === undefined) return over('it was removed');
  const { status = {}, metadata } = pod;
  const state = status.containerStatuses?.[0]?.state ?? {};
  const isEnded = status.phase === 'Failed' || status.phase === 'Succeeded';
  if (state.terminated !== undefined || isEnded) return describeEnd(state.terminated ?? {}, status);
  if (metadata.deletionTimestamp !== undefined) return over('it was removed');
  return state.running === undefined ? describeWait(state, status) : { kind: 'running' };
}

function describeWait({ waiting = {} }: ContainerState, { conditions = [] }: NonNullable<Pod['status']>): PodState {
  const { reason = '', message = '' } = waiting;
  if (FINAL.has(reason)) return over(`${reason}: ${message}`);
  const unplaced = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return { kind: 'waiting', ...(unplaced?.message === undefined ? {} : { reason: unplaced.message }) };
}

function describeEnd(
  { reason, exitCode }: NonNullable<ContainerState['terminated']>,
  status: NonNullable<Pod['status']>,
): PodState {
  if (reason === 'OOMKilled') return { kind: 'over', reason: 'it exceeded its memory limit', isOutOfMemory: true };
  // The reason is a name that Kubernetes gives, for example Evicted, DeadlineExceeded or NodeLost.
  if (status.reason !== undefined) return over(`${status.reason}: ${status.message ?? ''}`);
  return over(exitCode === undefined ? 'it ended' : `its container ended with exit code ${exitCode}`);
}

function over(reason: string): PodState {
  return { kind: 'over', reason: reason.slice(0, 500), isOutOfMemory: false };
}
