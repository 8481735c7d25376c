import { endsWithin } from '@steward/async';
import { PERMISSIONS, type Principal } from '@steward/contracts';
import type { AnyDatabase, Database } from '@steward/database';
import { createHttpApp, type HttpAppOptions, type RequestGate, type Surface } from '@steward/http';
import type { Component, Logger } from '@steward/process';
import type { TokenSigner } from '@steward/identity';
import { readRevisions } from '../revisions.store.ts';
import { serveInMemory, type InMemoryRequest } from './send-in-memory.ts';

export interface WarmUpDeps {
  readonly db: AnyDatabase;
  readonly pool: Database['pool'];
  readonly surfaces: readonly Surface[];
  readonly gate: RequestGate;
  readonly signer: TokenSigner;
  /** Searches the content of an account that does not exist, without writing an audit row. */
  readonly warmUpSearch: ((accountId: string) => Promise<void>) | undefined;
  readonly settings: { readonly warmUpSeconds: number; readonly databasePoolSize: number };
  readonly logger: Logger;
  /** Time at which the start of the process began, as `performance.now()`. */
  readonly beganAt: number;
}

/** An account that cannot exist, so that the requests find nothing and change nothing. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const ROUNDS = 10;
/**
 * Maximum time from the beginning of the start to the end of the warm-up: a start that takes longer than 14 s fails,
 * and the steps after the warm-up also take time.
 */
const LATEST_END_MS = 10_000;

/**
 * Requests that only read, and one that would end a session if the session existed. Together they use the code that
 * most requests use.
 */
export const WARM_UP_REQUESTS: readonly (InMemoryRequest & { readonly status: number })[] = [
  ...[
    'runtime-sessions?limit=10',
    'agents',
    'approval-requests',
    'flows',
    'flows/executions',
    'event-webhooks/endpoints',
    'event-webhooks/deliveries',
    'audit-log',
    'usage',
    'stats/sessions',
  ].map((path) => ({ method: 'GET', path: `/api/v1/${path}`, status: 200 }) as const),
  { method: 'POST', path: `/api/v1/runtime-sessions/${NOBODY}/end`, body: {}, status: 404 },
];

/**
 * Opens the connections of the process and lets requests without effect pass through its code before its port opens,
 * because the first use of code and connections is slow (PROC-22). The warm-up takes at most `WARM_UP_SECONDS`, and its
 * failure does not prevent the start.
 */
export function createWarmUp(deps: WarmUpDeps): Component {
  const { settings, logger, beganAt } = deps;
  return {
    name: 'warm-up',
    async start() {
      if (settings.warmUpSeconds === 0) return;
      const startedAt = performance.now();
      const end = new AbortController();
      const sent = { requests: 0, unexpected: 0 };
      const work = warmUp(deps, sent, end.signal).catch(
        (error: unknown) => void logger.warn('service.warm_up_failed', { error }),
      );
      const left = beganAt + LATEST_END_MS - startedAt;
      const isComplete = await endsWithin(work, Math.min(settings.warmUpSeconds * 1000, left));
      end.abort();
      const duration = Math.round(performance.now() - startedAt);
      logger.info('service.warmed_up', { duration_ms: duration, is_complete: isComplete, ...sent });
    },
  };
}

interface Sent {
  requests: number;
  /** Number of requests that failed, or whose status was not the expected one. */
  unexpected: number;
}

async function warmUp(deps: WarmUpDeps, sent: Sent, end: AbortSignal): Promise<void> {
  const { pool, signer, settings, surfaces, warmUpSearch } = deps;
  const connections = Array.from({ length: settings.databasePoolSize });
  const clients = await Promise.allSettled(connections.map(() => pool.connect()));
  for (const client of clients) if (client.status === 'fulfilled') client.value.release();
  await warmUpSearch?.(NOBODY);
  // A token of a login that does not exist: it is verified and looked up like any other.
  const claims = { userId: NOBODY, accountId: NOBODY, generation: 0, loginId: NOBODY };
  const token = await signer.sign(claims, new Date());
  const send = serveInMemory(createQuietApp(deps, await describeNobody(deps.db)), token);
  const requests = WARM_UP_REQUESTS.filter((request) => isServed(surfaces, request));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const request of requests) {
      if (end.aborted) return;
      // The request is sent once per connection, so that each connection prepares the statements of the request.
      const answers = await Promise.allSettled(connections.map(() => send(request)));
      sent.requests += answers.length;
      for (const one of answers) if (one.status === 'rejected' || one.value !== request.status) sent.unexpected += 1;
    }
}

/**
 * Returns whether this process provides the part of the service that handles the request; other parts are not warmed
 * up.
 */
function isServed(surfaces: readonly Surface[], { path }: InMemoryRequest): boolean {
  const [, , , collection] = path.split(/[/?]/);
  return surfaces.some(({ routes }) => routes.some((route) => route.path.split('/')[3] === collection));
}

/**
 * Creates an app with the same routes, without log lines and metrics. Every credential is looked up as usual, but the
 * caller always belongs to an account that does not exist. The app has no port, so that only this file can send
 * requests to it.
 */
function createQuietApp({ surfaces, gate }: WarmUpDeps, principal: Principal): ReturnType<typeof createHttpApp> {
  const metrics = { histogram: () => ({ observe: () => undefined }) } as unknown as HttpAppOptions['metrics'];
  const authenticate: RequestGate['authenticate'] = async (credential) => {
    await gate.authenticate(credential);
    return { ...principal, revisionsReadAt: performance.now() };
  };
  const { workOnBody } = gate;
  const quietGate = { authenticate, ...(workOnBody === undefined ? {} : { workOnBody }) };
  return createHttpApp({ surfaces, gate: quietGate, logger: QUIET, metrics });
}

async function describeNobody(db: AnyDatabase): Promise<Principal> {
  return {
    kind: 'user',
    accountId: NOBODY,
    userId: NOBODY,
    username: 'warm-up',
    apiKeyId: undefined,
    role: 'owner',
    permissions: new Set(PERMISSIONS),
    runtimePrincipal: undefined,
    revisions: await readRevisions(db, NOBODY),
  };
}

const ignore = (): void => undefined;
const QUIET: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => QUIET };
