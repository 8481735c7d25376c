import type { HintSink } from '@steward/contracts';
import { newId, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { saveWorkflowEndpoints } from '@steward/webhooks';
import {
  listChatUrls,
  listWebhookUrls,
  WORKFLOW_DEFAULTS,
  type ApprovalWorkflow,
  type Receivers,
  type WorkflowFields,
  type WorkflowKey,
} from '../approval-workflow.ts';
import { requireWorkable } from '../rules/check-workflow.ts';
import { mergeReceivers, sealReceivers } from '../rules/receivers.ts';
import {
  clearDefault,
  findWorkflow,
  findWorkflowsByName,
  insertWorkflow,
  lockWorkflows,
  requireWorkflowQuota,
  saveSecretHint,
  updateWorkflow,
} from '../store/approval-workflow.store.ts';

export interface WorkflowSave {
  readonly accountId: string;
  /** Missing fields stay unchanged, or get the defaults of a new workflow. */
  readonly patch: Partial<WorkflowFields>;
  /** Secret for the workflow's receivers, chosen by the client. */
  readonly webhookSecret?: string | undefined;
}

export interface SavedApprovalWorkflow {
  readonly kind: 'saved';
  readonly workflow: ApprovalWorkflow;
  /** Set if the secret is new and has to be shown, once. */
  readonly webhookSecret: string | undefined;
  /** The previous name, if it was changed. */
  readonly formerName?: string;
}

export type WorkflowSaveOutcome = SavedApprovalWorkflow | { readonly kind: 'name_taken' };

/**
 * Creates a workflow. The caller checks the addresses of receivers, the people, the roles and the model.
 * @throws quota_reached, invalid_request
 */
export async function createWorkflow(
  trx: AnyTransaction,
  hints: HintSink,
  save: WorkflowSave & { readonly patch: Pick<WorkflowFields, 'name'> },
  secretBox: SecretBox,
): Promise<WorkflowSaveOutcome> {
  const { accountId, patch } = save;
  const key = { accountId, id: newId() };
  const fields = { ...WORKFLOW_DEFAULTS, ...patch };
  requireWorkable(fields);
  await lockWorkflows(trx, accountId);
  await requireWorkflowQuota(trx, accountId);
  if (await isTaken(trx, key, fields.name)) return { kind: 'name_taken' };
  if (fields.isDefault) await clearDefault(trx, key);
  await insertWorkflow(trx, key, { ...fields, receivers: sealReceivers(fields, key, secretBox) });
  return saveReceivers(trx, hints, { key, receivers: fields, secret: save.webhookSecret }, secretBox);
}

/** Updates those fields of a workflow that the patch contains. @throws invalid_request, conflict */
export async function updateWorkflowFields(
  trx: AnyTransaction,
  hints: HintSink,
  save: WorkflowSave & { readonly id: string },
  secretBox: SecretBox,
): Promise<WorkflowSaveOutcome | { readonly kind: 'not_found' }> {
  const { accountId, id, patch } = save;
  const key = { accountId, id };
  await lockWorkflows(trx, accountId);
  const stored = await findWorkflow(trx, key);
  if (stored === undefined) return { kind: 'not_found' };
  const receivers = mergeReceivers(stored, patch, secretBox);
  const fields = { ...stored, ...patch, ...receivers };
  requireWorkable(fields);
  if (await isTaken(trx, key, fields.name)) return { kind: 'name_taken' };
  if (fields.isDefault) await clearDefault(trx, key);
  await updateWorkflow(trx, key, { ...fields, receivers: sealReceivers(receivers, key, secretBox) });
  const saved = await saveReceivers(trx, hints, { key, receivers, secret: save.webhookSecret }, secretBox);
  return stored.name === fields.name ? saved : { ...saved, formerName: stored.name };
}

async function saveReceivers(
  trx: AnyTransaction,
  hints: HintSink,
  { key, receivers, secret }: { key: WorkflowKey; receivers: Receivers; secret: string | undefined },
  secretBox: SecretBox,
): Promise<SavedApprovalWorkflow> {
  const targets = { accountId: key.accountId, workflowId: key.id, urls: listWebhookUrls(receivers), secret };
  const saved = await saveWorkflowEndpoints(trx, hints, targets, secretBox);
  await saveWorkflowEndpoints(
    trx,
    hints,
    { accountId: key.accountId, workflowId: key.id, urls: listChatUrls(receivers), source: 'approval_chat' },
    secretBox,
  );
  await saveSecretHint(trx, key, saved.endpoints[0]?.secretHint ?? null);
  const workflow = await findWorkflow(trx, key);
  if (workflow === undefined) throw new Error('a workflow was not stored');
  return { kind: 'saved', workflow, webhookSecret: saved.secret };
}

/** Returns whether the name is taken by another workflow. */
async function isTaken(trx: AnyTransaction, { accountId, id }: WorkflowKey, name: string): Promise<boolean> {
  const namesakes = await findWorkflowsByName(trx, { accountId, names: [name] });
  return namesakes.some((workflow) => workflow.id !== id);
}
