import type { Container, PodSpec } from './manifest.ts';

interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seccompProfile?: { readonly type: string };
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
}

/** The types of volumes that are allowed: all types used by the chart that the restricted standard permits. */
const VOLUMES = new Set(['emptyDir', 'secret', 'configMap', 'persistentVolumeClaim', 'projected']);

/**
 * Returns the parts of a pod that the restricted standard of Kubernetes refuses (pod-security.kubernetes.io), and
 * writable root file systems.
 */
export function listPodSecurityProblems(pod: PodSpec): string[] {
  const security = (pod.securityContext ?? {}) as SecurityContext;
  const forbidden = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => field in pod);
  return [
    ...(security.runAsNonRoot === true && security.runAsUser !== 0 ? [] : ['runs as root']),
    ...(['RuntimeDefault', 'Localhost'].includes(security.seccompProfile?.type ?? '')
      ? []
      : ['has no seccomp profile']),
    ...forbidden.map((field) => `has ${field}`),
    ...(pod.volumes ?? []).flatMap((volume) =>
      Object.keys(volume).some((kind) => VOLUMES.has(kind)) ? [] : [`mounts ${volume.name}`],
    ),
    ...[...(pod.initContainers ?? []), ...pod.containers].flatMap(listContainerProblems),
  ];
}

function listContainerProblems({ securityContext = {}, ports = [] }: Container): string[] {
  const security = securityContext as SecurityContext;
  return [
    ...(security.allowPrivilegeEscalation === false ? [] : ['may gain privileges']),
    ...(security.readOnlyRootFilesystem === true ? [] : ['may write its root file system']),
    ...(security.privileged === true ? ['is privileged'] : []),
    ...((security.procMount ?? 'Default') === 'Default' ? [] : ['has access to all of /proc']),
    ...(security.capabilities?.drop?.includes('ALL') === true ? [] : ['keeps capabilities']),
    ...(security.capabilities?.add ?? []).map((name) => `has ${name}`),
    ...ports.flatMap((port) => ('hostPort' in port ? ['uses a port of the node'] : [])),
  ];
}
