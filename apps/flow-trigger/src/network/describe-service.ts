import { readAllowedDestination } from '@steward/flows';
import type { FlowTriggerSettings } from '../config.ts';
import type { ServiceEndpoint } from './dial.ts';
import { readServer } from './read-server.ts';
import type { NetworkOptions } from './run-network.ts';

/**
 * Returns the network settings of the worker: among them, the destinations that every run can reach, and the endpoints
 * that no run can reach.
 */
export function describeService(settings: FlowTriggerSettings): NetworkOptions {
  const { apiUrl, networkAllow, networkPrivateCidrs, healthPort, toolServerPort = 0 } = settings;
  return {
    api: apiUrl === undefined ? undefined : readServer(apiUrl),
    operator: networkAllow.flatMap((text) => readAllowedDestination(text) ?? []),
    privateCidrs: networkPrivateCidrs,
    endpoints: [
      ...listServers(settings.databaseUrl, 'database'),
      ...(settings.databaseDirectUrl === undefined ? [] : listServers(settings.databaseDirectUrl, 'database')),
      ...listServers(settings.natsUrl, 'broker'),
      ...[healthPort, toolServerPort]
        .filter((port) => port !== 0)
        .map((port) => ({ host: undefined, port, what: 'flow worker' })),
    ],
  };
}

/**
 * Returns the endpoints in a list of URLs. If the host of a URL is a loopback address, the `host` of its endpoint is
 * undefined, because the service may listen on every address of this machine.
 */
function listServers(urls: string, what: string): ServiceEndpoint[] {
  return urls.split(',').flatMap((url) => {
    const server = readServer(url.trim());
    if (server === undefined) return [];
    const isHere = /^(localhost|127\..*|::1)$/.test(server.host);
    return [{ ...server, host: isHere ? undefined : server.host, what }];
  });
}
