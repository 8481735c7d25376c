import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { RequestGate } from '@steward/http';
import type { Metrics } from '@steward/process';
import { noteAgentActivity, type AgentKey } from '@steward/agents';
import { findRunningAgents } from '@steward/flows';
import { createAuthenticate, createAwaitCallers, type KnownCallers, type TokenSigner } from '@steward/identity';
import { findPortalCredentials } from '@steward/webhooks';
import { createCallerMetrics, type CallerMetrics } from './caller-metrics.ts';
import type { GatewaySettings } from './config.ts';
import type { LargeBodyGate } from '@steward/api';
import { selectPositionedRevisions, selectRevisions } from './revisions.store.ts';
import { createAccountBudget } from './rate/account-budget.ts';

export interface RequestGateDeps {
  readonly db: AnyDatabase;
  readonly settings: Pick<GatewaySettings, 'edition' | 'accountRatePerMinute' | 'databaseReadUrl'>;
  readonly signer: TokenSigner;
  readonly clock: Clock;
  readonly largeBodies: LargeBodyGate;
  readonly knownCallers?: KnownCallers | undefined;
  readonly metrics: Metrics;
}

export type Authenticate = RequestGate['authenticate'];

/**
 * Creates the function that resolves a credential to its caller, as of the moment of the request. While the lease of
 * this process is valid, a caller that was read earlier is as current as one that is read now.
 */
export function openAuthenticate({
  db,
  settings,
  signer,
  clock,
  knownCallers,
  callerMetrics,
}: Omit<RequestGateDeps, 'largeBodies' | 'settings' | 'metrics'> & {
  readonly callerMetrics?: CallerMetrics;
  readonly settings: Pick<GatewaySettings, 'edition'> & Partial<Pick<GatewaySettings, 'databaseReadUrl'>>;
}): Authenticate {
  const select = settings.databaseReadUrl === undefined ? selectRevisions : selectPositionedRevisions;
  const authenticate = createAuthenticate({
    db,
    signer,
    edition: settings.edition,
    now: (): Date => clock.now(),
    selectRevisions: select,
    knownCallers,
    countCaller: callerMetrics?.count,
    noteAgentSeen: (agent: AgentKey, now: Date) => noteAgentActivity(db, agent, 'seen', now),
    findRunningAgents: (hashes: readonly Buffer[], now: Date) =>
      findRunningAgents(db, hashes, { now, selectRevisions: select }),
    findPortalLinks: (hashes: readonly Buffer[], now: Date) => findPortalCredentials(db, hashes, now),
  });
  return (credential, options) => {
    const revisionsReadAt = performance.now();
    const describe = (principal: Principal | undefined) => principal && { ...principal, revisionsReadAt };
    const found = authenticate(credential, options);
    return found instanceof Promise ? found.then(describe) : describe(found);
  };
}

/**
 * Creates the checks of every request, on every surface: the principal of a credential with its current permissions,
 * the budget of the account, the queue of large bodies, and the wait until every process has applied a change to the
 * data of callers. Checks that block a caller on every surface (a suspended agent, the kill switch) belong in
 * `authenticate`.
 */
export function createRequestGate(deps: RequestGateDeps): RequestGate {
  const callerMetrics = createCallerMetrics(deps.metrics);
  return {
    authenticate: openAuthenticate({ ...deps, callerMetrics }),
    spendRequest: createAccountBudget({ perMinute: deps.settings.accountRatePerMinute }),
    workOnBody: deps.largeBodies.run,
    awaitCallers: createAwaitCallers(deps.db, { onWaited: callerMetrics.observeWait }),
  };
}
