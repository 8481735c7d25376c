import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createTargetGuard, type ResolveAll, type TargetGuard } from '@steward/egress';
import { normalizeHost, type Destination } from '@steward/flows';
import type { Grant } from './network-rules.ts';

/** An endpoint of the service itself. If `host` is undefined, every address of this machine belongs to the endpoint. */
export interface ServiceEndpoint {
  readonly host: string | undefined;
  readonly port: number;
  /** Name of the endpoint in messages, for example "database". */
  readonly what: string;
}

/** Opens a connection. @throws Error with a human-readable reason */
export type Dial = (destination: Destination) => Promise<Socket>;

const CONNECT_TIMEOUT_MS = 30_000;

interface ReachOptions {
  readonly privateCidrs: readonly string[];
  readonly endpoints: readonly ServiceEndpoint[];
}

/** Returns the reason why a run may not reach an address; undefined if it may. */
export type Refuse = (destination: Destination, grant: Grant) => string | undefined;

export function createRefuse({ privateCidrs, endpoints }: ReachOptions): Refuse {
  const guard = createTargetGuard(privateCidrs);
  return (destination, grant) =>
    grant === 'api' ? undefined : (findEndpoint(endpoints, destination) ?? findRange(guard, destination.host, grant));
}

/**
 * Creates the function that connects to a destination. The addresses of the destination are checked only when the
 * connection is opened, because the name may resolve to a different address by then.
 */
export function createDial(
  options: ReachOptions & {
    /** The system's resolver, unless a test replaces the DNS server. */
    readonly resolve?: ResolveAll | undefined;
  },
): (destination: Destination, grant: Grant) => Promise<Socket> {
  const refuse = createRefuse(options);
  return ({ host, port }, grant) =>
    openConnection(
      { host, port },
      (address) => refuse({ host: address, port }, grant),
      options.resolve ?? systemLookup,
    );
}

function openConnection(
  { host, port }: Destination,
  refuse: (address: string) => string | undefined,
  resolve: ResolveAll,
): Promise<Socket> {
  // No lookup is needed to refuse an IP address, or a host name of the service itself.
  const reason = refuse(host);
  if (reason !== undefined && (isIP(host) !== 0 || reason.includes('of the service')))
    return Promise.reject(new Error(reason));
  const lookup: LookupFunction = (name, lookupOptions, callback) => {
    resolve(name, { ...lookupOptions, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(new Error('the name has no address'), '');
      const allowed = addresses.filter(({ address }) => refuse(address) === undefined);
      const [first] = allowed;
      if (first === undefined) return callback(new Error(refuse(addresses[0]?.address ?? '') ?? 'refused'), '');
      if (lookupOptions.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
  return new Promise((opened, reject) => {
    const socket = connect({ host, port, lookup, allowHalfOpen: true, noDelay: true });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error('it did not respond within 30 s')), CONNECT_TIMEOUT_MS);
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      opened(socket);
    });
    socket.once('close', () => clearTimeout(timer));
  });
}

function findEndpoint(endpoints: readonly ServiceEndpoint[], { host, port }: Destination): string | undefined {
  const address = normalizeHost(host);
  const found = endpoints.find(
    (endpoint) =>
      endpoint.port === port && (endpoint.host === undefined ? isOwnAddress(address) : endpoint.host === address),
  );
  return found === undefined ? undefined : `it is the ${found.what} of the service`;
}

function isOwnAddress(address: string): boolean {
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(address)) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address));
}

function findRange(guard: TargetGuard, address: string, grant: Grant): string | undefined {
  if (isIP(address) === 0) return undefined;
  const range = guard.classify(address);
  if (range === undefined || grant === 'operator') return undefined;
  // For the server of a repository, only link-local addresses, such as those of cloud metadata services, are refused:
  // private repositories may be in private networks or on this machine.
  if (grant === 'repository' && range !== 'link_local') return undefined;
  return `its address is ${range.replace('_', '-')} and not in FLOW_NETWORK_PRIVATE_CIDRS`;
}
