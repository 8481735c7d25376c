import type { HintSink } from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { saveWorkflowEndpoints } from '@steward/webhooks';
import { hasPendingRequests } from '../../requests/store/approval-request.store.ts';
import type { ApprovalWorkflow, WorkflowKey } from '../approval-workflow.ts';
import { deleteWorkflow, findWorkflow, lockWorkflows } from '../store/approval-workflow.store.ts';

export type WorkflowDeletion =
  | { readonly kind: 'deleted'; readonly workflow: ApprovalWorkflow }
  | { readonly kind: 'not_found' }
  /** The workflow has pending requests. */
  | { readonly kind: 'pending' };

/** Deletes a workflow with its receivers. Decisions under the workflow remain readable. */
export async function removeWorkflow(
  trx: AnyTransaction,
  hints: HintSink,
  key: WorkflowKey,
  secretBox: SecretBox,
): Promise<WorkflowDeletion> {
  await lockWorkflows(trx, key.accountId);
  const workflow = await findWorkflow(trx, key);
  if (workflow === undefined) return { kind: 'not_found' };
  if (await hasPendingRequests(trx, key)) return { kind: 'pending' };
  const nowhere = { accountId: key.accountId, workflowId: key.id, urls: [] };
  await saveWorkflowEndpoints(trx, hints, nowhere, secretBox);
  await saveWorkflowEndpoints(trx, hints, { ...nowhere, source: 'approval_chat' }, secretBox);
  await deleteWorkflow(trx, key);
  return { kind: 'deleted', workflow };
}
