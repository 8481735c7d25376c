import { createFreshReads, type Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { RequestGate } from '@steward/http';
import { noteAgentActivity, type AgentKey } from '@steward/agents';
import { findRunningAgent } from '@steward/flows';
import { authenticateCredential, type TokenSigner } from '@steward/identity';
import type { GatewaySettings } from './config.ts';
import type { LargeBodyGate } from '@steward/api';
import { selectRevisions } from './revisions.store.ts';
import { createAccountBudget } from './rate/account-budget.ts';

export interface RequestGateDeps {
  readonly db: AnyDatabase;
  readonly settings: Pick<GatewaySettings, 'edition' | 'accountRatePerMinute'>;
  readonly signer: TokenSigner;
  readonly clock: Clock;
  readonly largeBodies: LargeBodyGate;
}

export type Authenticate = RequestGate['authenticate'];

/** Resolves a credential to its caller, as of this moment. */
export function createAuthenticate({
  db,
  settings,
  signer,
  clock,
}: Omit<RequestGateDeps, 'largeBodies' | 'settings'> & {
  readonly settings: Pick<GatewaySettings, 'edition'>;
}): Authenticate {
  const deps = {
    db,
    signer,
    edition: settings.edition,
    now: (): Date => clock.now(),
    selectRevisions,
    noteAgentSeen: (agent: AgentKey, now: Date) => noteAgentActivity(db, agent, 'seen', now),
    findRunningAgent: (tokenHash: Buffer, now: Date) => findRunningAgent(db, tokenHash, { now, selectRevisions }),
  };
  // Requests of one credential during its look-up share the next one, so that an earlier revocation is seen.
  const share = createFreshReads<Principal | undefined>();
  return (credential) => share(credential, () => authenticateCredential(deps, credential));
}

/**
 * Checks of every request, on every surface: the principal of a credential with its current permissions, the budget of
 * the account, the turns of large bodies. Checks that block a caller on every surface (a suspended agent, the kill
 * switch) belong into `authenticate`.
 */
export function createRequestGate(deps: RequestGateDeps): RequestGate {
  return {
    authenticate: createAuthenticate(deps),
    spendRequest: createAccountBudget({ perMinute: deps.settings.accountRatePerMinute }),
    workOnBody: deps.largeBodies.run,
  };
}
