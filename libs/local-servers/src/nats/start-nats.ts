import { startNatsContainer } from '../docker/nats-container.ts';
import { retryTakenPort } from '../retry-taken-port.ts';
import type { ResolveOptions, ServerOrigin } from '../server-options.ts';
import { chooseNats, type NatsChoice } from './choose-nats.ts';
import type { NatsTls } from './list-nats-files.ts';
import type { NatsUser } from './render-nats-config.ts';
import { startLocalNats } from './start-local-nats.ts';

export interface NatsOptions extends ResolveOptions {
  readonly dataDirectory: string;
  /** True if the store is kept; false for tests, where it may be deleted with the server. */
  readonly durable: boolean;
  /**
   * Users who may log in; if undefined, the server accepts all clients. A server from the environment has its own
   * users.
   */
  readonly users?: readonly NatsUser[];
  /**
   * Returns the certificates; if set, the server accepts only TLS, and verifies its clients. Called with the host name
   * to which clients will connect.
   */
  readonly tls?: (host: string) => NatsTls;
  /** Further command line arguments, for tests of a different server configuration. */
  readonly extraArguments?: readonly string[];
}

/** A Docker network, and the server's host name in it. */
export interface NatsNetwork {
  readonly name: string;
  readonly alias: string;
}

export interface NatsServer {
  /** URL of the server; it contains no credentials, unless it comes from the environment. */
  readonly url: string;
  readonly origin: ServerOrigin;
  readonly description: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
  /** Stops the server and starts it again on the same port and store. */
  restart(): Promise<void>;
  /** Kills the server, as in a crash; `restart` starts it again. */
  kill(): Promise<void>;
}

/** Starts a NATS server with JetStream, from the same sources as Postgres. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  if (options.existingUrl !== undefined) return useExisting(options.existingUrl);
  const choice = await chooseNats(options);
  return retryTakenPort(() => startChosenNats(choice, options));
}

/** Starts a server from the chosen source; `network` applies only to containers. */
export function startChosenNats(
  choice: NatsChoice,
  options: NatsOptions & { readonly network?: NatsNetwork | undefined },
): Promise<NatsServer> {
  return choice.origin === 'docker' ? startNatsContainer(options) : startLocalNats(choice.binary, options);
}

function useExisting(url: string): NatsServer {
  const refuse = (): Promise<never> => Promise.reject(new Error('a server set by the environment cannot be restarted'));
  return {
    url,
    origin: 'environment',
    description: 'NATS set by the environment',
    pid: undefined,
    stop: () => Promise.resolve(),
    restart: refuse,
    kill: refuse,
  };
}
