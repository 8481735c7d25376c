import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { EmitOptions } from '@steward/webhooks';
import { lockAgent, resolveAgentId } from '../../registry/store/agent.store.ts';
import { lockCandidate } from '../../discovery/store/candidate.store.ts';
import type { Enrollment } from '../enrollment.ts';
import { insertEnrollment, requireEnrollmentQuota } from '../store/enrollment.store.ts';
import { announceOnboarding } from './onboard.ts';

export type NewEnrollment = Omit<Enrollment, 'id' | 'onboardedAt' | 'createdAt' | 'updatedAt' | 'message'> & {
  readonly actorUserId: string;
  readonly now: Date;
};

export type EnrollOutcome =
  | { readonly kind: 'enrolled'; readonly enrollment: Enrollment }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'retired' }
  | { readonly kind: 'unknown_candidate' };

/**
 * Enrolls an agent, or the agent into which it has been merged. An enrollment that is created as validated onboards the
 * agent.
 * @throws quota_reached
 */
export async function enrollAgent(
  trx: AnyTransaction,
  hints: HintSink,
  { actorUserId, now, ...input }: NewEnrollment,
  options: EmitOptions,
): Promise<EnrollOutcome> {
  const { accountId } = input;
  const id = await resolveAgentId(trx, { accountId, id: input.agentId });
  const agent = id === undefined ? undefined : await lockAgent(trx, { accountId, id }, 'update');
  if (agent === undefined) return { kind: 'not_found' };
  if (agent.lifecycleState === 'retired') return { kind: 'retired' };
  if (input.candidateId !== null && (await lockCandidate(trx, { accountId, id: input.candidateId })) === undefined)
    return { kind: 'unknown_candidate' };
  await requireEnrollmentQuota(trx, accountId);
  const isOnboarded = input.status === 'validated';
  const enrollment: Enrollment = {
    ...input,
    id: newId(),
    agentId: agent.id,
    message: null,
    onboardedAt: isOnboarded ? now : null,
    createdAt: now,
    updatedAt: now,
  };
  if (isOnboarded) await announceOnboarding(trx, hints, { agent, enrollment, actorUserId, now }, options);
  await insertEnrollment(trx, enrollment);
  return { kind: 'enrolled', enrollment };
}
