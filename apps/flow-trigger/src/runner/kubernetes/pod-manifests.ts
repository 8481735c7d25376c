import { dirname, relative } from 'node:path';
import type { Workspace } from '../../workspace/prepare-workspace.ts';
import { CONTAINER_PATHS } from '../docker-arguments.ts';
import { SUPERVISOR } from './supervisor-script.ts';

/** Properties that the operator sets for the pods of runs. */
export interface PodOptions {
  readonly namespace: string;
  readonly image: string;
  /** Name of the PersistentVolumeClaim whose volume is mounted at the worker's FLOW_WORK_DIR. */
  readonly claim: string;
  readonly serviceAccount: string;
  readonly memory: string;
  readonly cpus: number;
  /** Additional fields of the pod, for example `nodeSelector` or `runtimeClassName`. */
  readonly more: Readonly<Record<string, unknown>>;
  /** The worker's pod, which owns the jobs: Kubernetes removes the jobs when this pod no longer exists. */
  readonly owner?: { readonly name: string; readonly uid: string } | undefined;
}

export interface PodRequest {
  readonly executionId: string;
  /** Sequence number of the pod among those of the execution. */
  readonly number: number;
  readonly workspace: Workspace;
  readonly timeoutSeconds: number;
  readonly user: { readonly uid: number; readonly gid: number };
  /** Lines of `/etc/hosts`. */
  readonly hosts: readonly HostAlias[];
  /** False if the pod resolves only the names in `hosts`. */
  readonly resolvesNames: boolean;
}

export interface HostAlias {
  readonly ip: string;
  readonly hostnames: readonly string[];
}

const EXECUTION_LABEL = 'steward.execution';
const RUN_LABELS = { 'app.kubernetes.io/name': 'steward-run', 'app.kubernetes.io/part-of': 'steward' };
/** Selects the jobs and pods of all runs. */
export const RUN_SELECTOR = 'app.kubernetes.io/name=steward-run';

/**
 * Time in addition to the time limit of the run, for finding a node, pulling the image, ending the run and packing its
 * evidence. After this time, the pod ends by itself.
 */
const SPARE_SECONDS = 1020;
/** Time for which a job that has ended is retained if its worker does not remove it. */
const KEEP_SECONDS = 300;

export function nameJob(executionId: string, number: number): string {
  return `steward-run-${executionId}-${number}`;
}

export function selectExecution(executionId: string): string {
  return `${EXECUTION_LABEL}=${executionId}`;
}

export function readExecution(labels: Readonly<Record<string, string>> | undefined): string | undefined {
  return labels?.[EXECUTION_LABEL];
}

function labelExecution(executionId: string): Readonly<Record<string, string>> {
  return { ...RUN_LABELS, [EXECUTION_LABEL]: executionId };
}

/**
 * Returns the job of a run. It is initially suspended, and is resumed when its network policy exists. Its single pod
 * conforms to the restricted standard, has no token for the cluster, and sees only the folders of its execution.
 */
export function buildJob(request: PodRequest, options: PodOptions): object {
  const { executionId, number, timeoutSeconds } = request;
  const { namespace, owner } = options;
  const labels = labelExecution(executionId);
  const owners = owner === undefined ? [] : [{ apiVersion: 'v1', kind: 'Pod', ...owner }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: nameJob(executionId, number), namespace, labels, ownerReferences: owners },
    spec: {
      suspend: true,
      completions: 1,
      parallelism: 1,
      // There are no retries, because an agent must never run twice.
      backoffLimit: 0,
      activeDeadlineSeconds: timeoutSeconds + SPARE_SECONDS,
      ttlSecondsAfterFinished: KEEP_SECONDS,
      template: { metadata: { labels }, spec: buildPod(request, options) },
    },
  };
}

function buildPod({ user, hosts, resolvesNames, workspace }: PodRequest, options: PodOptions): object {
  const mount = (folder: string, mountPath: string, readOnly: boolean) => ({
    name: 'work',
    mountPath,
    subPath: relative(dirname(workspace.root), folder),
    readOnly,
  });
  return {
    ...options.more,
    restartPolicy: 'Never',
    serviceAccountName: options.serviceAccount,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 1,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user.uid,
      runAsGroup: user.gid,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    hostAliases: hosts,
    ...(resolvesNames ? {} : { dnsPolicy: 'None', dnsConfig: { nameservers: ['127.0.0.1'] } }),
    containers: [
      {
        name: 'run',
        image: options.image,
        command: ['/bin/sh', '-c', SUPERVISOR],
        workingDir: CONTAINER_PATHS.workspace,
        resources: buildResources(options),
        securityContext: {
          allowPrivilegeEscalation: false,
          privileged: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          mount(workspace.directory, CONTAINER_PATHS.workspace, false),
          mount(workspace.home, CONTAINER_PATHS.home, false),
          mount(workspace.input, CONTAINER_PATHS.input, true),
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'work', persistentVolumeClaim: { claimName: options.claim } },
      { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
    ],
  };
}

/**
 * Returns the requested resources and their limits. All of the memory is requested, because a node that runs out of
 * memory ends the run; only a quarter of the CPUs is requested.
 */
function buildResources({ cpus, memory }: PodOptions): object {
  return {
    requests: { cpu: `${Math.max(10, Math.round(cpus * 250))}m`, memory },
    limits: { cpu: `${Math.round(cpus * 1000)}m`, memory, 'ephemeral-storage': '2Gi' },
  };
}

/** A rule that permits connections to an address, or to a network with exceptions, at these ports. */
export interface EgressRule {
  readonly cidr: string;
  readonly except?: readonly string[];
  readonly ports: readonly number[];
  readonly protocols?: readonly ('TCP' | 'UDP')[];
}

export interface PolicyRequest {
  readonly executionId: string;
  readonly number: number;
  readonly namespace: string;
  /** Identifier of the job that the policy belongs to: Kubernetes removes both together. */
  readonly jobUid: string;
  readonly egress: readonly EgressRule[];
}

/**
 * Returns the network policy of a run: nothing can connect to its pod, and the pod can only connect to destinations
 * that the rules name.
 */
export function buildPolicy({ executionId, number, namespace, jobUid, egress }: PolicyRequest): object {
  const name = nameJob(executionId, number);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name,
      namespace,
      labels: labelExecution(executionId),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid: jobUid }],
    },
    spec: {
      podSelector: { matchLabels: labelExecution(executionId) },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [],
      egress: renderEgress(egress),
    },
  };
}

export function renderEgress(rules: readonly EgressRule[]): readonly object[] {
  return rules.map(({ cidr, except, ports, protocols = ['TCP'] }) => ({
    to: [{ ipBlock: { cidr, ...(except === undefined ? {} : { except }) } }],
    ports: ports.flatMap((port) => protocols.map((protocol) => ({ protocol, port }))),
  }));
}
