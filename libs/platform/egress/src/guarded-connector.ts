import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { TargetGuard } from './target-guard.ts';
import { isAllowedPort, readPort } from './target-port.ts';

/** Error for an address or port to which this deployment does not allow connections. */
export class TargetBlockedError extends Error {
  constructor(reason: string) {
    super(reason === 'port' ? 'the target port is not allowed' : `the target address is ${reason}`);
    this.name = 'TargetBlockedError';
  }
}

/** Times at which the opening of a connection began and each of its steps ended, according to `performance.now()`. */
export interface ConnectionTimes {
  readonly startedAt: number;
  resolvedAt?: number;
  connectedAt?: number;
  securedAt?: number;
}

export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedConnectorOptions {
  /** Guard of addresses; if undefined, every address is allowed. */
  readonly guard: TargetGuard | undefined;
  /** Ports to which connections are allowed; if undefined or empty, every port is allowed. */
  readonly allowedPorts?: readonly number[];
  readonly timeoutMs: number;
  /** Resolver of names; default: the resolver of the system. Tests use it to simulate a DNS server. */
  readonly resolve?: ResolveAll;
  /** Certificate authority for tests; it is trusted instead of those that Node trusts. */
  readonly certificateAuthority?: string | undefined;
  /** Called with each socket before it is connected. */
  readonly onSocket?: (socket: Socket) => void;
}

export interface GuardedConnector {
  readonly connect: buildConnector.connector;
  /**
   * Returns the times of the connection steps of a socket; undefined for a socket that was opened by another connector.
   */
  readTimes(socket: object): ConnectionTimes | undefined;
}

/**
 * Creates a connector for an undici pool (`new Agent({ connect })`). The guard checks the address of the actual
 * connection, whether it is an IP address in the URL or was returned by DNS, so that neither keep-alive nor a name that
 * changes its address (rebinding) bypasses the guard.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): GuardedConnector {
  const { guard, allowedPorts = [], timeoutMs, resolve = systemLookup as ResolveAll } = options;
  const times = new WeakMap<object, ConnectionTimes>();
  // Node calls the lookup only for names, never for IP addresses, and with `all: true` (since it tries the addresses in
  // turn).
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const allowed =
        guard === undefined ? addresses : addresses.filter(({ address }) => guard.classify(address) === undefined);
      const first = allowed[0];
      if (first === undefined) {
        const reason =
          addresses[0] === undefined ? 'unresolvable' : (guard?.classify(addresses[0].address) ?? 'reserved');
        return callback(new TargetBlockedError(reason), '');
      }
      if (lookupOptions.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
  const classifyLiteral = (host: string): string | undefined => (isIP(host) === 0 ? undefined : guard?.classify(host));
  const tls = options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority };
  const open = buildConnector({ allowH2: false, timeout: timeoutMs, lookup, ...tls }) as (
    ...parameters: Parameters<buildConnector.connector>
  ) => Socket;

  return {
    readTimes: (socket) => times.get(socket),
    connect(target, callback) {
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      const reason = isAllowedPort(readPort(target), allowedPorts) ? classifyLiteral(literal) : 'port';
      if (reason !== undefined) return queueMicrotask(() => callback(new TargetBlockedError(reason), null));
      const own: ConnectionTimes = { startedAt: performance.now() };
      const socket = open(target, callback);
      times.set(socket, own);
      options.onSocket?.(socket);
      socket.once('lookup', () => (own.resolvedAt = performance.now()));
      socket.once('connect', () => (own.connectedAt = performance.now()));
      socket.once('secureConnect', () => (own.securedAt = performance.now()));
    },
  };
}
