import type { AnyTransaction } from '@steward/database';
import { mergeAgents, type MergeOutcome } from '@steward/slice-agents';
import { moveBudgetsOfAgent } from '@steward/slice-budgets';
import { moveKeysOfAgent } from '@steward/slice-identity';
import { moveWaitingNotes } from '@steward/slice-sessions';

export type JoinOutcome =
  | (Extract<MergeOutcome, { readonly kind: 'merged' }> & { readonly movedKeys: number })
  | Exclude<MergeOutcome, { readonly kind: 'merged' }>;

/** Makes one of two agents. What the duplicate has from now on is the other's; what was written of it stays as it was written. */
export async function joinAgents(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly id: string; readonly duplicateId: string; readonly now: Date },
): Promise<JoinOutcome> {
  const outcome = await mergeAgents(trx, input);
  if (outcome.kind !== 'merged') return outcome;
  const { accountId } = input;
  const { agent, duplicate } = outcome;
  const move = { accountId, agentId: duplicate.id, to: agent.id };
  const isSuspended = agent.lifecycleState === 'suspended';
  const movedKeys = await moveKeysOfAgent(trx, { ...move, toName: agent.displayName, isSuspended });
  await moveWaitingNotes(trx, move);
  await moveBudgetsOfAgent(trx, move);
  return { ...outcome, movedKeys };
}
