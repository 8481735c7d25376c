import { readAllowedDestination } from '@steward/flows';
import type { FlowTriggerSettings } from '../config.ts';
import type { ServiceEndpoint } from './dial.ts';
import { readServer } from './read-server.ts';
import type { NetworkOptions } from './run-network.ts';

/** Lists the endpoints that runs can always reach, and those that they can never reach. */
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
 * Returns the endpoints in a list of URLs. An endpoint on this machine has no host, since the service listens on every
 * address of this machine.
 */
function listServers(urls: string, what: string): ServiceEndpoint[] {
  return urls.split(',').flatMap((url) => {
    const server = readServer(url.trim());
    if (server === undefined) return [];
    const isHere = /^(localhost|127\..*|::1)$/.test(server.host);
    return [{ ...server, host: isHere ? undefined : server.host, what }];
  });
}
