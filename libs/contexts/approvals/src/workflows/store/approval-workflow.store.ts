import { sql, type Insertable } from 'kysely';
import { pageById, requireQuota, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables, type ApprovalsDatabase } from '../../schema.ts';
import type {
  ApprovalWorkflow,
  Bypass,
  ChannelConfig,
  Receivers,
  SealedReceivers,
  StoredReceivers,
  WorkflowFields,
  WorkflowKey,
} from '../approval-workflow.ts';
import { toReceiverColumns } from './receivers-in-clear.store.ts';

type WorkflowValues = Insertable<ApprovalsDatabase['approvals.approval_workflow']>;

/** The fields that users set, as they are stored. */
export type StoredFields = Omit<WorkflowFields, keyof Receivers> & { readonly receivers: SealedReceivers | null };

/** Maximum number of workflows per account (LIM-52). */
const MAX_WORKFLOWS = 200;

function selectWorkflows(db: AnyDatabase, accountId: string) {
  return tables(db)
    .selectFrom('approvals.approval_workflow')
    .selectAll()
    .select(sql<boolean>`coalesce(bypass_until > now(), false)`.as('is_bypassed'))
    .where('account_id', '=', accountId);
}

type WorkflowRow = Awaited<ReturnType<ReturnType<typeof selectWorkflows>['executeTakeFirstOrThrow']>>;

/** Serializes changes to an account's workflows until they commit: names and the default concern several rows. */
export async function lockWorkflows(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`approval workflows ${accountId}`}, 0))`.execute(trx);
}

/** Checks the limit of workflows. @throws quota_reached */
export async function requireWorkflowQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from approvals.approval_workflow where account_id = ${accountId}`;
  await requireQuota(trx, { accountId, what: 'approval workflows', limit: MAX_WORKFLOWS, rows });
}

/** Lists workflows, newest first; one row more than requested shows whether there is another page. */
export async function listWorkflows(db: AnyDatabase, page: IdPage): Promise<ApprovalWorkflow[]> {
  const rows = await pageById(selectWorkflows(db, page.accountId), page).execute();
  return rows.map(toWorkflow);
}

export async function findWorkflow(db: AnyDatabase, key: WorkflowKey): Promise<ApprovalWorkflow | undefined> {
  const row = await selectWorkflows(db, key.accountId).where('id', '=', key.id).executeTakeFirst();
  return row === undefined ? undefined : toWorkflow(row);
}

/** Returns the name of a workflow whose approvers include the users of a role; undefined if there is none. */
export async function findWorkflowOfRole(
  db: AnyDatabase,
  { accountId, role }: { readonly accountId: string; readonly role: string },
): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('approvals.approval_workflow')
    .select('name')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`${role} = any(approver_roles)`)
    .orderBy('name')
    .executeTakeFirst();
  return row?.name;
}

/** Returns the existing workflows with these names. */
export async function findWorkflowsByName(
  db: AnyDatabase,
  { accountId, names }: { readonly accountId: string; readonly names: readonly string[] },
): Promise<ApprovalWorkflow[]> {
  if (names.length === 0) return [];
  const rows = await selectWorkflows(db, accountId)
    .where('name', 'in', [...names])
    .execute();
  return rows.map(toWorkflow);
}

export async function findDefaultWorkflow(db: AnyDatabase, accountId: string): Promise<ApprovalWorkflow | undefined> {
  const row = await selectWorkflows(db, accountId).where('is_default', '=', true).executeTakeFirst();
  return row === undefined ? undefined : toWorkflow(row);
}

/** Removes the default flag from the current default workflow. Called under `lockWorkflows`. */
export async function clearDefault(trx: AnyTransaction, { accountId, id: except }: WorkflowKey): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_workflow')
    .set({ is_default: false, updated_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .where('id', '<>', except)
    .execute();
}

export async function insertWorkflow(
  trx: AnyTransaction,
  { accountId, id }: WorkflowKey,
  fields: StoredFields,
): Promise<void> {
  await tables(trx)
    .insertInto('approvals.approval_workflow')
    .values({ id, account_id: accountId, ...toValues(fields) })
    .execute();
}

export async function updateWorkflow(trx: AnyTransaction, key: WorkflowKey, fields: StoredFields): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_workflow')
    .set({ ...toValues(fields), updated_at: sql<Date>`now()` })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.id)
    .execute();
}

export async function saveSecretHint(trx: AnyTransaction, key: WorkflowKey, hint: string | null): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_workflow')
    .set({ webhook_secret_hint: hint })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.id)
    .execute();
}

/** Stores a bypass; null ends it. Returns false if there is no such workflow. */
export async function saveBypass(
  trx: AnyTransaction,
  key: WorkflowKey,
  bypass: (Omit<Bypass, 'until'> & { readonly minutes: number }) | null,
): Promise<boolean> {
  const until = bypass === null ? null : sql<Date>`now() + make_interval(mins => ${bypass.minutes})`;
  const { numUpdatedRows } = await tables(trx)
    .updateTable('approvals.approval_workflow')
    .set({ bypass_until: until, bypass_reason: bypass?.reason ?? null, bypass_user_id: bypass?.userId ?? null })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteWorkflow(trx: AnyTransaction, key: WorkflowKey): Promise<void> {
  await tables(trx)
    .deleteFrom('approvals.approval_workflow')
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.id)
    .execute();
}

function toValues(fields: StoredFields): Omit<WorkflowValues, 'id' | 'account_id'> {
  return {
    name: fields.name,
    description: fields.description,
    approver_user_ids: [...fields.approverUserIds],
    approver_roles: [...fields.approverRoles],
    quorum: fields.quorum,
    expires_seconds: fields.expiresSeconds,
    approval_wait_seconds: fields.approvalWaitSeconds,
    require_comment: fields.requireComment,
    allow_self_approval: fields.allowSelfApproval,
    escalate_after_seconds: fields.escalateAfterSeconds,
    escalation_user_ids: [...fields.escalationUserIds],
    ...toReceiverColumns(fields.receivers),
    email: fields.email,
    is_default: fields.isDefault,
    mode: fields.mode,
    ai_model_id: fields.aiModelId,
    ai_guidelines: fields.aiGuidelines,
    ai_confidence_threshold: fields.aiConfidenceThreshold,
  };
}

function toReceivers(row: WorkflowRow): StoredReceivers {
  const { channel_configs: channels, approval_webhook_url: approvalWebhookUrl, receivers_sealed: sealed } = row;
  const shown = (row.receivers_shown ?? { channelConfigs: [], approvalWebhookUrl: null }) as Receivers;
  const clear = channels === null ? null : { channelConfigs: channels as ChannelConfig[], approvalWebhookUrl };
  return { clear, sealed, shown };
}

function toWorkflow(row: WorkflowRow): ApprovalWorkflow {
  const { bypass_until: until, bypass_reason: reason, bypass_user_id: userId } = row;
  const isBypassed = row.is_bypassed && until !== null && reason !== null && userId !== null;
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: row.description,
    approverUserIds: row.approver_user_ids,
    approverRoles: row.approver_roles,
    quorum: row.quorum,
    expiresSeconds: row.expires_seconds,
    approvalWaitSeconds: row.approval_wait_seconds,
    requireComment: row.require_comment,
    allowSelfApproval: row.allow_self_approval,
    escalateAfterSeconds: row.escalate_after_seconds,
    escalationUserIds: row.escalation_user_ids,
    receivers: toReceivers(row),
    webhookSecretHint: row.webhook_secret_hint,
    email: row.email,
    isDefault: row.is_default,
    mode: row.mode,
    aiModelId: row.ai_model_id,
    aiGuidelines: row.ai_guidelines,
    aiConfidenceThreshold: row.ai_confidence_threshold,
    bypass: isBypassed ? { until, reason, userId } : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
