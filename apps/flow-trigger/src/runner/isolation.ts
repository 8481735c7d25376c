import type { UidRange } from './agent-users.ts';
import type { CgroupParents } from './agent-cgroup.ts';

/** Mechanisms that separate the programs of a run from the service and from other runs. */
export interface Isolation {
  /** Whether runs have separate process, mount and IPC namespaces. */
  readonly namespaces: boolean;
  /** Whether runs have a separate network, in addition to the namespaces. */
  readonly network: boolean;
  /** Ids of separate users, one per running execution; undefined means that programs run as the worker's user. */
  readonly users: UidRange | undefined;
  readonly cgroups: CgroupParents | undefined;
}

export function isApart({ namespaces, users }: Isolation): boolean {
  return namespaces || users !== undefined;
}

/** Describes the isolation in one line for people. */
export function describeIsolation(isolation: Isolation): string {
  const { namespaces, network, users, cgroups } = isolation;
  const limits = cgroups === undefined ? 'limits per process (rlimits)' : `limits per run (cgroup v${cgroups.version})`;
  if (!isApart(isolation))
    return `NOTHING isolates agents from the service (FLOW_TRUST_AGENTS=true); agents use the network of the worker; ${limits}`;
  return [
    users === undefined ? 'the user of the worker' : `a separate user for each run (${users.first}-${users.last})`,
    namespaces ? 'separate processes, mounts and IPC (namespaces)' : 'no namespaces',
    network ? 'a separate network for each run' : 'THE NETWORK OF THE WORKER',
    limits,
  ].join(', ');
}
