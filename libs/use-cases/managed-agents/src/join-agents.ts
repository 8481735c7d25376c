import type { AnyTransaction } from '@steward/database';
import { listIdsMergedInto, mergeAgents, type MergeOutcome } from '@steward/agents';
import { joinBudgetsOfAgents } from '@steward/budgets';
import { moveKeysOfAgent } from '@steward/identity';
import { sumCost } from '@steward/models';
import { moveWaitingNotes } from '@steward/sessions';

export type JoinOutcome =
  | (Extract<MergeOutcome, { readonly kind: 'merged' }> & { readonly movedKeys: number })
  | Exclude<MergeOutcome, { readonly kind: 'merged' }>;

/**
 * Time limit, in milliseconds, of each statement that sums the costs of an agent. The statements must be short, because
 * calls of the account wait until the merge has ended.
 */
const SUM_WITHIN_MS = 5000;

/**
 * Merges two agents. All later activity of the duplicate belongs to the other agent; earlier records stay unchanged.
 */
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
  const former = await listIdsMergedInto(trx, duplicate);
  const all = await listIdsMergedInto(trx, agent);
  const ids = { former, other: all.filter((id) => !former.includes(id)) };
  await joinBudgetsOfAgents(trx, move, ({ since, until, modelAlias }, side) => {
    const filter = { accountId, since, until, modelAlias: modelAlias ?? undefined, managedAgentIds: ids[side] };
    return sumCost(trx, filter, SUM_WITHIN_MS);
  });
  return { ...outcome, movedKeys };
}
