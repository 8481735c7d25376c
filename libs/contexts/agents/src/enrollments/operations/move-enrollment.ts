import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { EmitOptions } from '@steward/webhooks';
import type { Agent } from '../../registry/agent.ts';
import { lockAgent, resolveAgentId } from '../../registry/store/agent.store.ts';
import type { Enrollment } from '../enrollment.ts';
import { findEnrollment, saveEnrollment } from '../store/enrollment.store.ts';
import { announceOnboarding } from './onboard.ts';

export interface EnrollmentKey {
  readonly accountId: string;
  readonly agentId: string;
  readonly id: string;
}

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly enrollment: Enrollment; readonly isChanged: boolean }
  | { readonly kind: 'not_found' }
  /** The enrollment has ended. */
  | { readonly kind: 'restored' };

/** Result of a check of an enrollment. Missing fields stay unchanged, except `message`, which is cleared. */
export interface Validation {
  readonly isOk: boolean;
  readonly isGatewayRouted?: boolean | undefined;
  readonly isMcpRewritten?: boolean | undefined;
  readonly mcpServerCount?: number | undefined;
  readonly message?: string | undefined;
  readonly actorUserId: string;
  readonly now: Date;
}

/** Sets the status to `validated` or `failed`; the first validation onboards the agent, in this transaction. */
export async function validateEnrollment(
  trx: AnyTransaction,
  hints: HintSink,
  { key, validation }: { readonly key: EnrollmentKey; readonly validation: Validation },
  options: EmitOptions,
): Promise<MoveOutcome> {
  const found = await lockWithAgent(trx, key);
  if (found === undefined) return { kind: 'not_found' };
  const { agent, enrollment: before } = found;
  if (before.status === 'restored') return { kind: 'restored' };
  const { isOk, actorUserId, now } = validation;
  const isFirst = isOk && before.onboardedAt === null;
  const enrollment: Enrollment = {
    ...before,
    status: isOk ? 'validated' : 'failed',
    isGatewayRouted: validation.isGatewayRouted ?? before.isGatewayRouted,
    isMcpRewritten: validation.isMcpRewritten ?? before.isMcpRewritten,
    mcpServerCount: validation.mcpServerCount ?? before.mcpServerCount,
    message: validation.message ?? null,
    onboardedAt: isFirst ? now : before.onboardedAt,
    updatedAt: now,
  };
  if (isFirst) await announceOnboarding(trx, hints, { agent, enrollment, actorUserId, now }, options);
  await saveEnrollment(trx, enrollment);
  return { kind: 'moved', enrollment, isChanged: before.status !== enrollment.status };
}

/** Records that the configuration was restored, after which the enrollment no longer changes. */
export async function restoreEnrollment(trx: AnyTransaction, key: EnrollmentKey, now: Date): Promise<MoveOutcome> {
  const found = await lockWithAgent(trx, key);
  if (found === undefined) return { kind: 'not_found' };
  const { enrollment: before } = found;
  if (before.status === 'restored') return { kind: 'moved', enrollment: before, isChanged: false };
  const enrollment: Enrollment = { ...before, status: 'restored', updatedAt: now };
  await saveEnrollment(trx, enrollment);
  return { kind: 'moved', enrollment, isChanged: true };
}

/**
 * Finds an enrollment, and locks its agent (resolved through merges), so that concurrent validations run one after the
 * other.
 */
async function lockWithAgent(
  trx: AnyTransaction,
  { accountId, agentId, id }: EnrollmentKey,
): Promise<{ readonly agent: Agent; readonly enrollment: Enrollment } | undefined> {
  const endId = await resolveAgentId(trx, { accountId, id: agentId });
  const agent = endId === undefined ? undefined : await lockAgent(trx, { accountId, id: endId }, 'update');
  if (agent === undefined) return undefined;
  const enrollment = await findEnrollment(trx, { accountId, agentId: agent.id, id });
  return enrollment === undefined ? undefined : { agent, enrollment };
}
