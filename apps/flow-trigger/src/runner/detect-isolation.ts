import { readlinkSync } from 'node:fs';
import { newId } from '@steward/crypto';
import { StartupError } from '@steward/process';
import type { NetworkRequest } from '../network/run-network.ts';
import { prepareWorkspace, removeWorkspace } from '../workspace/prepare-workspace.ts';
import { findCgroupParents, type CgroupParents } from './agent-cgroup.ts';
import type { UidRange } from './agent-users.ts';
import type { HiddenPaths } from './hidden-paths.ts';
import type { Isolation } from './isolation.ts';
import type { Runner } from './runner.ts';

export interface DetectOptions {
  /** `auto`: the strongest isolation that works; `user`: separate users, without namespaces; `none`: no isolation. */
  readonly wanted: 'auto' | 'user' | 'none';
  /** Whether runs have their own network. `auto`: if it works; `isolated`: always; `shared`: never. */
  readonly network: 'auto' | 'isolated' | 'shared';
  readonly trustsAgents: boolean;
  readonly users: UidRange;
  readonly isRoot: boolean;
  readonly workDirectory: string;
  /** Paths that agents must not read; if no mount hides them, their permissions have to protect them. */
  readonly hidden: HiddenPaths;
  readonly createRunner: (isolation: Isolation) => Runner;
}

const PROBE_TIMEOUT_MS = 15_000;

/**
 * Script that checks its network namespace, writes into its workspace, and checks whether it can read any file in the
 * paths that must be hidden.
 */
const PROBE = `
[ "$2" = shared ] || [ "$(readlink /proc/self/ns/net)" != "$2" ] || { echo 'the program has the network of the worker'; exit 1; }
cd "$1" && : > probe && shift 2 || exit 1
for path; do
  found=$(find "$path" -type f -readable -print -quit 2> /dev/null)
  [ -z "$found" ] || { echo "agents could read $found: take that right away (chmod 600) or allow namespaces"; exit 1; }
done
`;

function listSecrets({ hidden }: DetectOptions, { namespaces }: Isolation): string[] {
  return namespaces ? [] : [...hidden.folders, ...hidden.files];
}

const NO_NETWORK: NetworkRequest = { flow: [], repository: undefined, secrets: [], note: () => undefined };

/**
 * Returns the network namespace of this process, in which a program with its own network must not run; `shared` if
 * programs have no network of their own.
 */
function findOwnNetwork({ network }: Isolation): string {
  return network ? readlinkSync('/proc/self/ns/net') : 'shared';
}

/**
 * Runs a test program to determine how agents can be isolated from the service on this machine: kernel, container
 * engine and distribution can prevent isolation in too many ways to check each one.
 * @throws StartupError if no kind of isolation works, and either agents are not trusted or they must have their own
 *   network
 */
export async function detectIsolation(options: DetectOptions): Promise<Isolation> {
  const cgroups = findCgroupParents();
  const refusals: string[] = [];
  for (const isolation of listCandidates(options, cgroups)) {
    const refusal = await probe(options, isolation);
    if (refusal === undefined) return isolation;
    refusals.push(refusal);
  }
  if (options.trustsAgents && options.network !== 'isolated')
    return { namespaces: false, network: false, users: undefined, cgroups };
  throw new StartupError(explainRefusal(options, refusals));
}

function listCandidates(
  { wanted, network, users, isRoot }: DetectOptions,
  cgroups: CgroupParents | undefined,
): Isolation[] {
  if (wanted === 'none') return [];
  const own = isRoot ? users : undefined;
  const mayIsolate = wanted === 'auto';
  const mayShare = network !== 'isolated';
  return [
    ...(mayIsolate && network !== 'shared' ? [{ namespaces: true, network: true, users: own, cgroups }] : []),
    ...(mayIsolate && mayShare ? [{ namespaces: true, network: false, users: own, cgroups }] : []),
    ...(own !== undefined && mayShare ? [{ namespaces: false, network: false, users: own, cgroups }] : []),
  ];
}

/**
 * Runs the test program. Returns the reason why it failed, or the forbidden access that it had; undefined if it
 * succeeded.
 */
async function probe(options: DetectOptions, isolation: Isolation): Promise<string | undefined> {
  const runner = options.createRunner(isolation);
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const lines: string[] = [];
  let cleanUp: (() => Promise<void>) | undefined;
  try {
    const executionId = newId();
    const workspace = await prepareWorkspace(options.workDirectory, executionId);
    cleanUp = () => removeWorkspace(workspace);
    const sandbox = await runner.open({
      executionId,
      workspace,
      timeoutSeconds: PROBE_TIMEOUT_MS / 1000,
      signal,
      network: NO_NETWORK,
    });
    try {
      const exit = await sandbox.run({
        argv: [
          '/bin/sh',
          '-c',
          PROBE,
          'sh',
          workspace.directory,
          findOwnNetwork(isolation),
          ...listSecrets(options, isolation),
        ],
        environment: {},
        signal,
        onLine: (line) => Promise.resolve(void lines.push(line)),
      });
      return exit.kind === 'exited' && exit.code === 0 ? undefined : (lines.at(-1) ?? `the probe ended: ${exit.kind}`);
    } finally {
      await sandbox.close();
    }
  } catch (error) {
    return lines.at(-1) ?? (error instanceof Error ? error.message : String(error));
  } finally {
    await cleanUp?.();
    runner.stop();
  }
}

function explainRefusal({ wanted, network, isRoot }: DetectOptions, refusals: readonly string[]): string {
  const tried = refusals.length === 0 ? `FLOW_ISOLATION=${wanted}` : refusals.join('; ');
  const ways = isRoot
    ? 'allow namespaces or the users of FLOW_AGENT_UID_RANGE'
    : 'start the worker as root, or allow unprivileged user namespaces (kernel.apparmor_restrict_unprivileged_userns, user.max_user_namespaces, the seccomp profile of a container)';
  if (network === 'isolated')
    return `runs cannot have their own network here (${tried.replaceAll(/\s+/g, ' ')}). Either ${ways}, or let them use the network of the worker: FLOW_NETWORK=auto`;
  return `nothing would isolate agents from the service here (${tried.replaceAll(/\s+/g, ' ')}). Either ${ways}, or set FLOW_RUNNER=docker, or trust every agent with all privileges of this worker: FLOW_TRUST_AGENTS=true`;
}
