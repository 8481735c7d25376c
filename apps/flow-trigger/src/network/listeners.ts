import { isIP } from 'node:net';
import type { Destination } from '@steward/flows';
import type { NetworkRules } from './network-rules.ts';

/** Address of the proxy for programs of a run; not 127.0.0.1, on which the programs may listen themselves. */
export const PROXY_ADDRESS = '127.1.0.1';
export const PROXY_PORT = 3128;

export interface Listener {
  /** Address in the network of the run. */
  readonly address: string;
  readonly destination: Destination;
}

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Returns the listeners for the named destinations, and the `/etc/hosts` lines that map their host names to the
 * addresses of the listeners.
 */
export function listListeners(rules: NetworkRules): {
  readonly listeners: readonly Listener[];
  readonly hosts: string;
} {
  const { api, operator, flow, repository, secretHosts } = rules;
  const named = [...operator, ...flow].flatMap(({ host, isWildcard, ports }) =>
    isWildcard ? [] : ports.map((port) => ({ host, port })),
  );
  const secret = [...secretHosts].flatMap((host) => [80, 443].map((port) => ({ host, port })));
  const all = [api, repository, ...named, ...secret].filter((destination) => destination !== undefined);
  const destinations = [...new Map(all.map((each) => [`${each.host} ${each.port}`, each])).values()];
  const names = [...new Set(destinations.map(({ host }) => host))].filter(
    (host) => isIP(host) === 0 && host !== 'localhost',
  );
  const addresses = new Map(names.map((name, index) => [name, toAddress(index)]));
  return {
    listeners: destinations.flatMap((destination) =>
      (destination.host === 'localhost' ? LOOPBACK : [addresses.get(destination.host) ?? destination.host]).map(
        (address) => ({ address, destination }),
      ),
    ),
    hosts: [...addresses].map(([name, address]) => `${address} ${name}\n`).join(''),
  };
}

function toAddress(index: number): string {
  return `127.1.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}
