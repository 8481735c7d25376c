import type { AnyTransaction } from '@steward/database';
import { moveEnrollments } from '../../enrollments/store/enrollment.store.ts';
import type { Agent } from '../agent.ts';
import { lockAgent, resolveAgentId, updateAgentRow } from '../store/agent.store.ts';

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly agent: Agent; readonly duplicate: Agent }
  /** Both ids already refer to the same agent. */
  | { readonly kind: 'same' }
  | { readonly kind: 'not_found'; readonly missing: 'agent' | 'duplicate' };

/** Merges two agents, each resolved through earlier merges. The caller moves the duplicate's data in other contexts. */
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
  // The agents are locked in a consistent order, regardless of the direction of the merge.
  for (const each of [id, duplicateId].sort()) {
    const locked = await lockAgent(trx, { accountId, id: each }, 'update');
    // Another transaction has merged the agent in the meantime: resolve both ids again.
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
