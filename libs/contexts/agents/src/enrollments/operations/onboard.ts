import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent, type EmitOptions } from '@steward/webhooks';
import type { Agent } from '../../registry/agent.ts';
import { updateAgentRow } from '../../registry/store/agent.store.ts';
import type { Enrollment } from '../enrollment.ts';
import { chooseOutcome, describeOnboarding } from '../rules/describe-onboarding.ts';
import { hasOnboarded } from '../store/enrollment.store.ts';

/**
 * Emits the event for the first validation of an enrollment, in the transaction of the caller, which has locked the
 * agent.
 */
export async function announceOnboarding(
  trx: AnyTransaction,
  hints: HintSink,
  input: { readonly agent: Agent; readonly enrollment: Enrollment; readonly actorUserId: string; readonly now: Date },
  options: EmitOptions,
): Promise<void> {
  const { agent, enrollment, actorUserId, now } = input;
  const { accountId } = agent;
  const hasOnboardedBefore = await hasOnboarded(trx, { accountId, agentId: agent.id });
  const outcome = chooseOutcome({ hasOnboardedBefore, isMergedSince: agent.isMergedSinceOnboarding });
  if (agent.isMergedSinceOnboarding) await updateAgentRow(trx, agent, { isMergedSinceOnboarding: false }, now);
  await emitEvent(
    trx,
    hints,
    {
      type: 'agent.onboarded',
      id: deterministicId('agent.onboarded', enrollment.id),
      accountId,
      occurredAt: now,
      data: describeOnboarding(agent, enrollment, { outcome, actorUserId }),
    },
    options,
  );
}
