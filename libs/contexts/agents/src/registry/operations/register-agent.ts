import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { Agent, RegistrationMethod } from '../agent.ts';
import { insertAgent, requireAgentQuota } from '../store/agent.store.ts';

export type NewAgent = Pick<Agent, 'accountId' | 'agentKind' | 'displayName' | 'source' | 'ownerUserId' | 'tags'> & {
  readonly enrolledVia: RegistrationMethod;
  readonly now: Date;
};

/** Registers an agent. Returns undefined if the account already has an agent of this source. @throws quota_reached */
export async function registerAgent(trx: AnyTransaction, { now, ...input }: NewAgent): Promise<Agent | undefined> {
  await requireAgentQuota(trx, input.accountId);
  const agent: Agent = {
    ...input,
    id: newId(),
    lifecycleState: 'active',
    lifecycleReason: null,
    mergedInto: null,
    isMergedSinceOnboarding: false,
    lastSeenAt: null,
    lastModelCallAt: null,
    lastPermissionCheckAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return (await insertAgent(trx, agent)) ? agent : undefined;
}
