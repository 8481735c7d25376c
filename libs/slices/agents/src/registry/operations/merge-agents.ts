import type { AnyTransaction } from '@steward/database';
import { moveEnrollments } from '../../enrollments/store/enrollment.store.ts';
import type { Agent } from '../agent.ts';
import { lockAgent, resolveAgentId, updateAgentRow } from '../store/agent.store.ts';

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly agent: Agent; readonly duplicate: Agent }
  /** They are one already. */
  | { readonly kind: 'same' }
  | { readonly kind: 'not_found'; readonly missing: 'agent' | 'duplicate' };

/** Makes one of two agents: each as what it is by now. What the duplicate has elsewhere moves by who asked for it. */
export async function mergeAgents(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly id: string; readonly duplicateId: string; readonly now: Date },
): Promise<MergeOutcome> {
  const { accountId, now } = input;
  const id = await resolveAgentId(trx, input);
  const duplicateId = await resolveAgentId(trx, { accountId, id: input.duplicateId });
  if (id === undefined) return { kind: 'not_found', missing: 'agent' };
  if (duplicateId === undefined) return { kind: 'not_found', missing: 'duplicate' };
  if (id === duplicateId) return { kind: 'same' };
  // In one order, whoever merges what into which.
  for (const each of [id, duplicateId].sort()) {
    const locked = await lockAgent(trx, { accountId, id: each }, 'update');
    // Somebody else has merged it since: what it is by now has to be looked up again.
    if (locked?.mergedInto !== null) return mergeAgents(trx, input);
  }
  const duplicate = await updateAgentRow(
    trx,
    { accountId, id: duplicateId },
    { lifecycleState: 'retired', lifecycleReason: null, mergedInto: id },
    now,
  );
  await moveEnrollments(trx, { accountId, from: duplicateId, to: id });
  const agent = await updateAgentRow(trx, { accountId, id }, { isMergedSinceOnboarding: true }, now);
  return { kind: 'merged', agent, duplicate };
}
