import { Agent } from 'undici';
import { createGuardedConnector, type GuardedConnectorOptions } from './guarded-connector.ts';
import { createTargetGuard } from './target-guard.ts';

export interface ProviderPoolsOptions extends Pick<GuardedConnectorOptions, 'resolve' | 'certificateAuthority'> {
  /** Origins (scheme://host:port) that may be http and lead anywhere. */
  readonly insecureOrigins: readonly string[];
  /** Networks beside the public ones that may be dialled. */
  readonly allowedPrivateCidrs?: readonly string[];
  /** Of the pools: limits of time and size. */
  readonly agent: Omit<Agent.Options, 'connect' | 'interceptors'>;
  /** Until a connection may be used, its encryption included. */
  readonly connectTimeoutMs?: number;
}

/** Keep-alive connections to providers whose addresses accounts type. */
export interface ProviderPools {
  /**
   * The pool for a request to this address: it checks every address it dials, except for the origins the operator named. Undefined
   * for an address that is not asked at all, since it is not https.
   */
  choose(url: URL): Agent | undefined;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

export function createProviderPools(options: ProviderPoolsOptions): ProviderPools {
  const insecureOrigins = new Set(options.insecureOrigins.map((origin) => new URL(origin).origin));
  const open = (guard: GuardedConnectorOptions['guard']): Agent =>
    new Agent({
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
