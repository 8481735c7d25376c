import { AppError } from '@steward/contracts';
import type { WorkflowFields } from '../approval-workflow.ts';

/**
 * Refuses a workflow that cannot work as configured: it requires more approvals than it has approvers and escalation
 * users, escalates to nobody or not before the expiry, or asks a model first without naming one.
 *
 * @throws invalid_request
 */
export function requireWorkable(fields: WorkflowFields): void {
  const { approverUserIds, approverRoles, quorum, escalateAfterSeconds, escalationUserIds, expiresSeconds } = fields;
  const people = new Set([...approverUserIds, ...escalationUserIds]).size;
  if (approverUserIds.length > 0 && approverRoles.length === 0 && people < quorum) {
    throw refuse('quorum', `${quorum} approvals are impossible with ${people} people.`);
  }
  if (escalateAfterSeconds !== null && escalationUserIds.length === 0) {
    throw refuse('escalation_user_ids', 'Set the users who are asked after escalate_after_seconds.');
  }
  if (escalateAfterSeconds !== null && escalateAfterSeconds >= expiresSeconds) {
    throw refuse('escalate_after_seconds', `The request expires before that: after ${expiresSeconds} seconds.`);
  }
  if (fields.mode === 'ai_first' && fields.aiModelId === null)
    throw refuse('ai_model_id', 'Set the model that is asked.');
}

function refuse(field: string, message: string): AppError {
  return new AppError('invalid_request', { message, detail: { field } });
}
