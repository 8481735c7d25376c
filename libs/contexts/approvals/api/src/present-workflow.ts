import type { Principal } from '@steward/contracts';
import type { AnswerBody } from '@steward/http';
import type { SecretBox } from '@steward/crypto';
import { mapAddresses, tryOpenReceivers, type ApprovalWorkflow } from '@steward/approvals';
import { hideAddress, hidePath, showAddress } from '@steward/api';
import { sendsMail, type ApprovalsDeps } from './approvals-deps.ts';
import type { SavedWorkflowAnswer, WorkflowAnswer } from './workflow-schemas.ts';

export interface WorkflowView {
  /** Whether the deployment sends email. */
  readonly sendsMail: boolean;
  readonly reader: Principal;
  readonly box: Pick<SecretBox, 'open'>;
}

export function viewWorkflow(deps: Pick<ApprovalsDeps, 'settings' | 'secretBoxes'>, reader: Principal): WorkflowView {
  return { sendsMail: sendsMail(deps), reader, box: deps.secretBoxes.webhook };
}

export function presentWorkflow(
  workflow: ApprovalWorkflow,
  { sendsMail: isMailed, reader, box }: WorkflowView,
): AnswerBody<typeof WorkflowAnswer> {
  const { bypass, receivers } = workflow;
  const { channelConfigs, approvalWebhookUrl } =
    tryOpenReceivers(workflow, box) ?? mapAddresses(receivers.shown, hidePath);
  // Not used for chat webhooks: their URLs are credentials, of which only the origin is shown.
  const show = (url: string): string => showAddress(url, reader, 'manage_approval_workflows');
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
    channel_configs: channelConfigs.map(({ kind, url }) => ({
      kind,
      url: kind === 'webhook' ? show(url) : hideAddress(url),
    })),
    approval_config: { webhook_url: approvalWebhookUrl === null ? null : show(approvalWebhookUrl) },
    email: isMailed && workflow.email !== false,
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

/** Presents a saved workflow, with its secret if the secret is new; no later response shows this secret. */
export function presentSaved(
  workflow: ApprovalWorkflow,
  webhookSecret: string | undefined,
  view: WorkflowView,
): AnswerBody<typeof SavedWorkflowAnswer> {
  return {
    ...presentWorkflow(workflow, view),
    ...(webhookSecret === undefined ? {} : { webhook_secret: webhookSecret }),
  };
}
