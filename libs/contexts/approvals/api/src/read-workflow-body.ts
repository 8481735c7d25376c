import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { WorkflowFields } from '@steward/approvals';
import { findAccountUsers, listRoles } from '@steward/identity';
import { findAiModel } from '@steward/models';
import { toStorableText } from '@steward/text';
import { requireTarget } from '@steward/api';
import type { ApprovalsDeps } from './approvals-deps.ts';
import type { UpdateWorkflowBody } from './workflow-schemas.ts';

type Body = Static<typeof UpdateWorkflowBody>;
type Patch = { -readonly [Key in keyof WorkflowFields]?: WorkflowFields[Key] };

/** Reads the fields of a workflow; missing ones stay undefined. @throws invalid_request, invalid_url, target_blocked */
export async function readWorkflowBody(body: Body, accountId: string, deps: ApprovalsDeps): Promise<Patch> {
  const patch = readFields(body);
  const { channelConfigs = [], approvalWebhookUrl = null } = patch;
  for (const { url } of channelConfigs) await requireTarget(url, deps);
  if (approvalWebhookUrl !== null) await requireTarget(approvalWebhookUrl, deps);
  await requirePeople(deps, accountId, 'approver_user_ids', patch.approverUserIds ?? []);
  await requirePeople(deps, accountId, 'escalation_user_ids', patch.escalationUserIds ?? []);
  await requireRoles(deps.db, accountId, patch.approverRoles ?? []);
  await requireModel(deps.db, accountId, patch.aiModelId ?? null);
  return patch;
}

function readFields(body: Body): Patch {
  const { approval_config: config } = body;
  const read: { readonly [Key in keyof WorkflowFields]: WorkflowFields[Key] | undefined } = {
    name: body.name === undefined ? undefined : toStorableText(body.name.trim()),
    description: body.description === undefined ? undefined : toStorableText(body.description),
    approverUserIds: unique(body.approver_user_ids),
    approverRoles: unique(body.approver_roles?.map((role) => role.toLowerCase())),
    quorum: body.quorum,
    expiresSeconds: body.expires_seconds,
    approvalWaitSeconds: body.approval_wait_seconds,
    requireComment: body.require_comment,
    allowSelfApproval: body.allow_self_approval,
    escalateAfterSeconds: body.escalate_after_seconds,
    escalationUserIds: unique(body.escalation_user_ids),
    channelConfigs: body.channel_configs?.map(readChannel),
    approvalWebhookUrl: config?.webhook_url,
    email: body.email,
    isDefault: body.is_default,
    mode: body.mode,
    aiModelId: body.ai_model_id,
    aiGuidelines: body.ai_guidelines === undefined ? undefined : toStorableText(body.ai_guidelines),
    aiConfidenceThreshold: body.ai_confidence_threshold,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function readChannel({ kind, url, webhook_url: other }: NonNullable<Body['channel_configs']>[number]) {
  const address = url ?? other;
  if (address === undefined) throw refuse('channel_configs', 'A channel needs a "url".');
  return { kind, url: address };
}

/** Checks that the users exist, are active, and are allowed to decide. */
async function requirePeople(
  { db, settings }: ApprovalsDeps,
  accountId: string,
  field: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const found = await findAccountUsers(db, { accountId, ids }, settings.edition);
  for (const id of ids) {
    const user = found.find((each) => each.id === id);
    if (user?.isActive !== true) throw refuse(field, `The account has no active user ${id}.`);
    if (!user.permissions.includes('decide_approvals')) {
      throw refuse(field, `The role of ${user.username} does not allow deciding approvals.`);
    }
  }
}

async function requireModel(db: AnyDatabase, accountId: string, id: string | null): Promise<void> {
  if (id === null || (await findAiModel(db, { accountId, id })) !== undefined) return;
  throw refuse('ai_model_id', 'The account has no such AI model.');
}

async function requireRoles(db: AnyDatabase, accountId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const roles = await listRoles(db, accountId);
  for (const name of names) {
    // A custom role takes precedence over the system role of the same name.
    const role = roles.filter((each) => each.name === name).at(-1);
    if (role === undefined)
      throw refuse('approver_roles', `The account has no role "${toStorableText(name).slice(0, 60)}".`);
    if (!role.permissions.includes('decide_approvals')) {
      throw refuse('approver_roles', `The role "${name}" does not allow deciding approvals.`);
    }
  }
}

function unique(values: readonly string[] | undefined): string[] | undefined {
  return values === undefined ? undefined : [...new Set(values)];
}

function refuse(field: string, message: string): AppError {
  return new AppError('invalid_request', { message, detail: { field } });
}
