import { lookup } from 'node:dns/promises';
import { isIP, type Server, type Socket } from 'node:net';
import type { ResolveAll } from '@steward/egress';
import type { Destination, NetworkSecret } from '@steward/flows';
import { createDial, type Dial, type ServiceEndpoint } from './dial.ts';
import { createEgressProxy } from './egress-proxy.ts';
import { listListeners, PROXY_ADDRESS, PROXY_PORT } from './listeners.ts';
import { grantDestination, type NetworkRules } from './network-rules.ts';
import { openNamespace, type NamespaceFiles } from './network-namespace.ts';

/** Network settings of the worker; the same for every run. */
export interface NetworkOptions extends Pick<NetworkRules, 'api' | 'operator'> {
  /** Private networks in which a flow may allow destinations. */
  readonly privateCidrs: readonly string[];
  /**
   * Endpoints that no run reaches, even if a flow names them: database, broker, the worker itself, and the API of the
   * Kubernetes cluster.
   */
  readonly endpoints: readonly ServiceEndpoint[];
  readonly resolve?: ResolveAll;
}

export interface NetworkRequest extends Pick<NetworkRules, 'flow' | 'repository'> {
  readonly secrets: readonly NetworkSecret[];
  /** Writes a line to the log of the run. */
  readonly note: (text: string, level: 'info' | 'warn') => void;
}

/** The network of the programs of one run. */
export interface RunNetwork {
  readonly files: NamespaceFiles;
  /** Lines of `/etc/hosts`. */
  readonly hosts: string;
  /** Variables through which programs find the proxy. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets whether a clone is in progress, during which the repository's server is reachable as well. */
  setCloning(isCloning: boolean): void;
  close(): void;
}

/**
 * Maximum number of lines about destinations in the log of a run, counted separately for connections that were opened
 * and for those that were not.
 */
const MAX_NOTED = 200;
/** Maximum number of simultaneous connections of a run; an `npm ci` opens several dozen. */
const MAX_CONNECTIONS = 512;

/**
 * Opens a network namespace that contains only listeners, whose connections the worker accepts. Each named destination
 * has a listener, at an address that its name resolves to, so that programs need no proxy settings for it. Programs can
 * also use an HTTP proxy, and need it for destinations that only a wildcard allows. The worker connects on behalf of
 * the programs, and logs the destinations.
 */
export async function openRunNetwork(
  options: NetworkOptions,
  request: NetworkRequest,
  needsUserNamespace: boolean,
): Promise<RunNetwork> {
  const { note } = request;
  let isCloning = false;
  const rules: NetworkRules = {
    ...options,
    ...request,
    secretHosts: new Set(request.secrets.map(({ host }) => host)),
  };
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): void => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    socket.on('error', () => socket.destroy());
  };
  const dialGranted = createDial({ ...options, endpoints: await resolveEndpoints(options.endpoints) });
  const dial = describeDials(note, async (destination) => {
    if (sockets.size >= 2 * MAX_CONNECTIONS) throw new Error(`the run has ${MAX_CONNECTIONS} connections open`);
    const grant = grantDestination(rules, destination, isCloning);
    if (grant === undefined) throw new Error('it is not in the flow’s network_allow');
    const socket = await dialGranted(destination, grant);
    hold(socket);
    return socket;
  });
  const proxy = createEgressProxy({ dial, secrets: request.secrets });
  const { listeners, hosts } = listListeners(rules);
  const namespace = await openNamespace(
    listeners.map(({ address }) => address),
    needsUserNamespace,
  );
  const servers: Server[] = [];
  const accept = async (at: Destination, take: (socket: Socket) => void): Promise<boolean> => {
    const server = await namespace.listen(at);
    if (server === undefined) return false;
    // A program that has sent everything still waits for the response.
    (server as Server & { allowHalfOpen: boolean }).allowHalfOpen = true;
    server.on('connection', (socket: Socket) => {
      if (sockets.size >= 2 * MAX_CONNECTIONS) return void socket.destroy();
      hold(socket);
      take(socket);
    });
    servers.push(server);
    return true;
  };
  const close = (): void => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
    namespace.close();
  };
  try {
    await accept({ host: PROXY_ADDRESS, port: PROXY_PORT }, proxy.serve);
    for (const { address, destination } of listeners) {
      const isOpen = await accept({ host: address, port: destination.port }, (socket) =>
        proxy.connect(socket, destination),
      );
      if (!isOpen)
        note(
          `${describe(destination)} is only reachable for programs that use HTTP_PROXY: direct connections need iproute2`,
          'warn',
        );
    }
    const files = await namespace.finish();
    return {
      files,
      hosts,
      environment: listVariables(options.api?.host),
      setCloning: (is) => (isCloning = is),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Wraps `dial` in a function that logs each outcome once per destination, up to `MAX_NOTED` lines. */
function describeDials(note: NetworkRequest['note'], dial: (destination: Destination) => Promise<Socket>): Dial {
  const all = { info: new Set<string>(), warn: new Set<string>() };
  const say = (line: string, level: 'info' | 'warn'): void => {
    const noted = all[level];
    if (noted.has(line) || noted.size > MAX_NOTED) return;
    noted.add(line);
    if (noted.size <= MAX_NOTED) return note(line, level);
    note(`further destinations that were ${level === 'info' ? '' : 'not '}reached are not listed`, 'warn');
  };
  return async (destination) => {
    try {
      const socket = await dial(destination);
      say(`connected to ${describe(destination)}`, 'info');
      return socket;
    } catch (error) {
      say(`no connection to ${describe(destination)}: ${(error as Error).message}`, 'warn');
      throw error;
    }
  };
}

function describe({ host, port }: Destination): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function listVariables(apiHost: string | undefined): Readonly<Record<string, string>> {
  const proxy = `http://${PROXY_ADDRESS}:${PROXY_PORT}`;
  // Requests to the API may bypass the proxy; requests to the program's own local servers must bypass it.
  const direct = [...new Set(['localhost', '127.0.0.1', '::1', ...(apiHost === undefined ? [] : [apiHost])])].join(',');
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: direct,
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Returns the endpoints together with the addresses that their host names resolve to. */
export async function resolveEndpoints(endpoints: readonly ServiceEndpoint[]): Promise<ServiceEndpoint[]> {
  const resolved = endpoints.map(async (endpoint) => {
    if (endpoint.host === undefined || isIP(endpoint.host) !== 0) return [endpoint];
    const found = await lookup(endpoint.host, { all: true }).catch(() => []);
    return [endpoint, ...found.map(({ address }) => ({ ...endpoint, host: address }))];
  });
  return (await Promise.all(resolved)).flat();
}
