import { lookup } from 'node:dns/promises';
import { isIP, type Server, type Socket } from 'node:net';
import type { ResolveAll } from '@steward/egress';
import type { Destination, NetworkSecret } from '@steward/flows';
import { createDial, type Dial, type ServiceEndpoint } from './dial.ts';
import { createEgressProxy } from './egress-proxy.ts';
import { listListeners, PROXY_ADDRESS, PROXY_PORT } from './listeners.ts';
import { grantDestination, type NetworkRules } from './network-rules.ts';
import { openNamespace, type NamespaceFiles } from './network-namespace.ts';

/** What the worker itself is told of networks; the same for every run. */
export interface NetworkOptions extends Pick<NetworkRules, 'api' | 'operator'> {
  /** Networks of the operator that a flow may name. */
  readonly privateCidrs: readonly string[];
  /** What no run reaches, whoever names it: database, broker, the worker itself. */
  readonly endpoints: readonly ServiceEndpoint[];
  readonly resolve?: ResolveAll;
}

export interface NetworkRequest extends Pick<NetworkRules, 'flow' | 'repository'> {
  readonly secrets: readonly NetworkSecret[];
  /** Takes a line for whoever reads the log of the run. */
  readonly note: (text: string, level: 'info' | 'warn') => void;
}

/** The network that the programs of one run have. */
export interface RunNetwork {
  readonly files: NamespaceFiles;
  /** Lines of `/etc/hosts`. */
  readonly hosts: string;
  /** Variables by which programs find the proxy. */
  readonly environment: Readonly<Record<string, string>>;
  /** While a clone runs its repository may be reached, too. */
  setCloning(isCloning: boolean): void;
  close(): void;
}

/** Destinations that are told in the log of a run: of those that it reached, and of those that it did not. */
const MAX_NOTED = 200;
/** Connections of a run at once; an `npm ci` opens some dozens. */
const MAX_CONNECTIONS = 512;

/**
 * A network namespace with nothing in it but listeners that the worker accepts connections on: of each destination that is named, at an
 * address that its name leads to, so that programs need to know nothing of a proxy; and of an HTTP proxy for those that do,
 * and for wildcards. The worker dials for them, and says what was asked for.
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
    // A program that has sent all it has still waits for the answer.
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

/** Says of each destination once what became of it. */
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
  // The API may be asked directly; what a program starts for itself has to be.
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

async function resolveEndpoints(endpoints: readonly ServiceEndpoint[]): Promise<ServiceEndpoint[]> {
  const resolved = endpoints.map(async (endpoint) => {
    if (endpoint.host === undefined || isIP(endpoint.host) !== 0) return [endpoint];
    const found = await lookup(endpoint.host, { all: true }).catch(() => []);
    return [endpoint, ...found.map(({ address }) => ({ ...endpoint, host: address }))];
  });
  return (await Promise.all(resolved)).flat();
}
