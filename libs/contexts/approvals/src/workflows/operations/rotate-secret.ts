import type { SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { rotateWorkflowSecret } from '@steward/webhooks';
import type { ApprovalWorkflow, WorkflowKey } from '../approval-workflow.ts';
import { findWorkflow, lockWorkflows, saveSecretHint } from '../store/approval-workflow.store.ts';

export type SecretRotation =
  | { readonly kind: 'rotated'; readonly workflow: ApprovalWorkflow; readonly webhookSecret: string }
  | { readonly kind: 'not_found' }
  /** The workflow has no receiver. */
  | { readonly kind: 'no_webhook' };

/**
 * Replaces the secret of the workflow's receivers: the next delivery is signed with the new secret and, during the
 * overlap, also with the old one.
 */
export async function rotateWebhookSecret(
  trx: AnyTransaction,
  key: WorkflowKey,
  overlapSeconds: number,
  secretBox: SecretBox,
): Promise<SecretRotation> {
  await lockWorkflows(trx, key.accountId);
  const workflow = await findWorkflow(trx, key);
  if (workflow === undefined) return { kind: 'not_found' };
  const input = { accountId: key.accountId, workflowId: key.id, overlapSeconds };
  const rotation = await rotateWorkflowSecret(trx, input, secretBox);
  if (rotation.kind === 'not_found') return { kind: 'no_webhook' };
  await saveSecretHint(trx, key, rotation.secretHint);
  return {
    kind: 'rotated',
    workflow: { ...workflow, webhookSecretHint: rotation.secretHint },
    webhookSecret: rotation.secret,
  };
}
