import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { createRefuse, type Refuse } from '../../network/dial.ts';
import type { Grant } from '../../network/network-rules.ts';
import { resolveEndpoints, type NetworkOptions, type NetworkRequest } from '../../network/run-network.ts';
import type { EgressRule, HostAlias } from './pod-manifests.ts';

/** All destinations that a run may reach, as addresses: a Kubernetes policy does not support names. */
export interface RunDestinations {
  readonly egress: readonly EgressRule[];
  /** Rules that apply while the repository is cloned. */
  readonly clone: readonly EgressRule[];
  readonly hosts: readonly HostAlias[];
  /** True if the operator or the flow allows every host: names are then resolved in the pod. */
  readonly resolvesNames: boolean;
}

/** Resolves a name to all its addresses; returns an empty list if it has no address. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

interface Named {
  readonly host: string;
  readonly ports: readonly number[];
  readonly grant: Grant;
}

/**
 * Networks that the rule for all hosts (`*`) excludes: those that the network policies of the Helm chart exclude for
 * the apps, and the multicast and reserved networks.
 */
const NOT_PUBLIC: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0/0': [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.168.0.0/16', '224.0.0.0/3'],
  ],
  '::/0': ['::1/128', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
};

export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/**
 * Returns the destinations of a run. The hosts of the API and of the repository, and those that operator and flow name,
 * are resolved once, when the run begins: the pod's `/etc/hosts` contains exactly the permitted addresses. The
 * addresses are checked by the same rules as with the process runner (ADR 0058).
 */
export async function findDestinations(
  options: NetworkOptions,
  { flow, repository, note }: NetworkRequest,
  resolve: ResolveHost = resolveHost,
): Promise<RunDestinations> {
  const endpoints = await resolveEndpoints(options.endpoints);
  const refuse = createRefuse({ privateCidrs: options.privateCidrs, endpoints });
  const hosts = new Map<string, Set<string>>();
  const permit = async (named: readonly Named[]): Promise<EgressRule[]> => {
    const rules = await Promise.all(named.map((one) => permitHost(one, { refuse, resolve, note, hosts })));
    return rules.flat();
  };
  const { api, operator } = options;
  const entries = [
    ...operator.map((entry) => ({ ...entry, grant: 'operator' as const })),
    ...flow.map((entry) => ({ ...entry, grant: 'flow' as const })),
  ];
  const everywhere = entries.filter(({ host, isWildcard }) => isWildcard && host === '');
  for (const { host } of entries.filter(({ host, isWildcard }) => isWildcard && host !== ''))
    note(
      `*.${host} is not reached: a run in a pod reaches only hosts that are named in full, or all hosts (*)`,
      'warn',
    );
  const egress = await permit([
    ...(api === undefined ? [] : [{ host: api.host, ports: [api.port], grant: 'api' as const }]),
    ...entries.filter(({ isWildcard }) => !isWildcard),
  ]);
  const clone =
    repository === undefined
      ? []
      : await permit([{ host: repository.host, ports: [repository.port], grant: 'repository' }]);
  const taken = endpoints.flatMap(({ host }) => (host !== undefined && isIP(host) !== 0 ? [toCidr(host)] : []));
  return {
    egress: [...egress, ...everywhere.flatMap(({ ports }) => permitAll(ports, taken))],
    clone,
    hosts: [...hosts].map(([ip, names]) => ({ ip, hostnames: [...names] })),
    resolvesNames: everywhere.length > 0,
  };
}

interface Permitting {
  readonly refuse: Refuse;
  readonly resolve: ResolveHost;
  readonly note: NetworkRequest['note'];
  readonly hosts: Map<string, Set<string>>;
}

async function permitHost(
  { host, ports, grant }: Named,
  { refuse, resolve, note, hosts }: Permitting,
): Promise<EgressRule[]> {
  const isName = isIP(host) === 0;
  const addresses = isName ? await resolve(host) : [host];
  if (addresses.length === 0) note(`${host} is not reached: the name has no address`, 'warn');
  return addresses.flatMap((address) => {
    const reasons = new Map(
      ports.map((port) => [port, refuse({ host, port }, grant) ?? refuse({ host: address, port }, grant)]),
    );
    for (const [port, reason] of reasons)
      if (reason !== undefined) note(`${host}:${port} is not reached: ${reason}`, 'warn');
    const open = ports.filter((port) => reasons.get(port) === undefined);
    if (open.length === 0) return [];
    if (isName) hosts.set(address, (hosts.get(address) ?? new Set()).add(host));
    return [{ cidr: toCidr(address), ports: open }];
  });
}

/**
 * Returns rules that allow DNS at every address and, on the given ports, all public addresses except those of the
 * service itself.
 */
function permitAll(ports: readonly number[], taken: readonly string[]): EgressRule[] {
  const networks = Object.entries(NOT_PUBLIC);
  const isOf = (cidr: string, network: string): boolean => cidr.includes(':') === network.includes(':');
  return [
    ...networks.map(([cidr, except]) => ({
      cidr,
      except: [...except, ...taken.filter((one) => isOf(one, cidr))],
      ports,
    })),
    ...networks.map(([cidr]) => ({ cidr, ports: [53], protocols: ['UDP', 'TCP'] as const })),
  ];
}

function toCidr(address: string): string {
  return `${address}/${isIP(address) === 6 ? 128 : 32}`;
}
