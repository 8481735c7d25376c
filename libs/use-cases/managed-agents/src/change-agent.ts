import type { AnyTransaction } from '@steward/database';
import { updateAgent, type AgentKey, type AgentUpdate, type UpdateAgentOutcome } from '@steward/agents';
import { revokeKeysOfAgent, suspendKeysOfAgent } from '@steward/identity';

export type ChangeAgentOutcome =
  | (Extract<UpdateAgentOutcome, { readonly kind: 'updated' }> & { readonly revokedKeys: number })
  | Exclude<UpdateAgentOutcome, { readonly kind: 'updated' }>;

/**
 * Changes an agent. If the agent is suspended, its keys are refused from the next request on; if it is retired, its
 * keys are revoked permanently.
 */
export async function changeAgent(
  trx: AnyTransaction,
  key: AgentKey,
  update: AgentUpdate,
  now: Date,
): Promise<ChangeAgentOutcome> {
  const outcome = await updateAgent(trx, key, update, now);
  if (outcome.kind !== 'updated') return outcome;
  const { lifecycleState } = outcome.agent;
  const keys = { accountId: key.accountId, agentId: key.id };
  if (lifecycleState === 'retired') return { ...outcome, revokedKeys: await revokeKeysOfAgent(trx, { ...keys, now }) };
  await suspendKeysOfAgent(trx, { ...keys, isSuspended: lifecycleState === 'suspended' });
  return { ...outcome, revokedKeys: 0 };
}
