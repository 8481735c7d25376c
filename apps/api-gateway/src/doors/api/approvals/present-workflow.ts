import type { AnswerBody } from '@steward/http';
import type { ApprovalWorkflow } from '@steward/slice-approvals';
import type { SavedWorkflowAnswer, WorkflowAnswer } from './workflow-schemas.ts';

/** @param sendsMail whether the deployment does */
export function presentWorkflow(workflow: ApprovalWorkflow, sendsMail: boolean): AnswerBody<typeof WorkflowAnswer> {
  const { bypass } = workflow;
  return {
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    approver_user_ids: workflow.approverUserIds,
    approver_roles: workflow.approverRoles,
    quorum: workflow.quorum,
    expires_seconds: workflow.expiresSeconds,
    approval_wait_seconds: workflow.approvalWaitSeconds,
    require_comment: workflow.requireComment,
    allow_self_approval: workflow.allowSelfApproval,
    escalate_after_seconds: workflow.escalateAfterSeconds,
    escalation_user_ids: workflow.escalationUserIds,
    channel_configs: workflow.channelConfigs,
    approval_config: { webhook_url: workflow.approvalWebhookUrl },
    email: sendsMail && workflow.email !== false,
    webhook_secret_hint: workflow.webhookSecretHint,
    is_default: workflow.isDefault,
    mode: workflow.mode,
    ai_model_id: workflow.aiModelId,
    ai_guidelines: workflow.aiGuidelines,
    ai_confidence_threshold: workflow.aiConfidenceThreshold,
    bypass: bypass === null ? null : { until: bypass.until, reason: bypass.reason, user_id: bypass.userId },
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
  };
}

/** The one answer that shows a new secret. */
export function presentSaved(
  workflow: ApprovalWorkflow,
  webhookSecret: string | undefined,
  sendsMail: boolean,
): AnswerBody<typeof SavedWorkflowAnswer> {
  return {
    ...presentWorkflow(workflow, sendsMail),
    ...(webhookSecret === undefined ? {} : { webhook_secret: webhookSecret }),
  };
}
