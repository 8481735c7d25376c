import type { AnyTransaction } from '@steward/database';
import type { Agent, AgentKey } from '../agent.ts';
import { lockAgent, requireAgentQuota, updateAgentRow, type AgentChange } from '../store/agent.store.ts';

export type AgentUpdate = Pick<
  AgentChange,
  'displayName' | 'ownerUserId' | 'tags' | 'lifecycleState' | 'lifecycleReason'
>;

export type UpdateAgentOutcome =
  | { readonly kind: 'updated'; readonly before: Agent; readonly agent: Agent }
  /** The agent was merged into another one, so it cannot be reactivated or suspended. */
  | { readonly kind: 'merged'; readonly into: string }
  | { readonly kind: 'not_found' };

/**
 * Updates an agent; missing fields stay unchanged. A reason belongs to a state: it is removed when the state changes
 * and no other reason is given.
 * @throws quota_reached if a retired agent would be reactivated in an account that has reached its limit
 */
export async function updateAgent(
  trx: AnyTransaction,
  key: AgentKey,
  update: AgentUpdate,
  now: Date,
): Promise<UpdateAgentOutcome> {
  const before = await lockAgent(trx, key, 'update');
  if (before === undefined) return { kind: 'not_found' };
  if (before.mergedInto !== null && update.lifecycleState !== 'retired' && update.lifecycleState !== undefined)
    return { kind: 'merged', into: before.mergedInto };
  const { lifecycleState = before.lifecycleState } = update;
  if (before.lifecycleState === 'retired' && lifecycleState !== 'retired') await requireAgentQuota(trx, key.accountId);
  const keepsReason = lifecycleState === before.lifecycleState || update.lifecycleReason !== undefined;
  const change = keepsReason ? update : { ...update, lifecycleReason: null };
  return { kind: 'updated', before, agent: await updateAgentRow(trx, key, change, now) };
}
