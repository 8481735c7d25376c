import type { Agent } from 'undici';
import { createGuardedConnector, type GuardedConnectorOptions } from './guarded-connector.ts';
import { ProviderAgent } from './provider-agent.ts';
import { createTargetGuard } from './target-guard.ts';

export interface ProviderPoolsOptions extends Pick<GuardedConnectorOptions, 'resolve' | 'certificateAuthority'> {
  /** Origins (scheme://host:port) that may use http and resolve to any address. */
  readonly insecureOrigins: readonly string[];
  /** Private networks that are allowed in addition to public ones. */
  readonly allowedPrivateCidrs?: readonly string[];
  /** Options of the pools: limits of time and size. */
  readonly agent: Omit<Agent.Options, 'connect' | 'interceptors'>;
  /** Time limit in milliseconds for opening a connection, including TLS. */
  readonly connectTimeoutMs?: number;
}

/** Keep-alive connections to providers at addresses that accounts entered. */
export interface ProviderPools {
  /**
   * Returns the pool for a request to this address; undefined if the address is not allowed because it does not use
   * https. The pool checks every address to which it connects, except for origins that the operator has allowed.
   */
  choose(url: URL): Agent | undefined;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

export function createProviderPools(options: ProviderPoolsOptions): ProviderPools {
  const insecureOrigins = new Set(options.insecureOrigins.map((origin) => new URL(origin).origin));
  const open = (guard: GuardedConnectorOptions['guard']): Agent =>
    new ProviderAgent({
      ...options.agent,
      connect: createGuardedConnector({ ...options, guard, timeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS })
        .connect,
    });
  const guarded = open(createTargetGuard(options.allowedPrivateCidrs ?? []));
  const unguarded = open(undefined);
  return {
    choose(url) {
      if (insecureOrigins.has(url.origin)) return unguarded;
      return url.protocol === 'https:' ? guarded : undefined;
    },
    async close() {
      await Promise.all([guarded.destroy(), unguarded.destroy()]);
    },
  };
}
