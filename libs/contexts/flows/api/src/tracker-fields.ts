import { randomBytes } from 'node:crypto';
import { AppError, refusePermission, type Principal } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { HIDDEN_VALUE, type FlowFields, type FlowRow, type WebhookOptions } from '@steward/flows';
import {
  coversRepository,
  findHooks,
  findTracker,
  leaveHook,
  requireRepository,
  TRACKER_HOSTS,
  wishHook,
  type HookRow,
  type TrackerKind,
  type TrackerRow,
} from '@steward/trackers';

interface TrackerConfig {
  readonly tracker_id: string;
  readonly repository: string;
}

type TrackedBody = Partial<Pick<FlowFields, 'trigger' | 'webhook_config' | 'is_enabled'>> & {
  readonly tracker_config?: TrackerConfig | null;
};

export interface TrackerPlan {
  /** Fields of the flow that are determined by its tracker. */
  readonly fields: { readonly webhook_config?: WebhookOptions };
  /** Requests the registration or removal of the hook; called after the flow is saved. */
  readonly apply: (trx: AnyTransaction, flow: FlowRow) => Promise<HookRow | undefined>;
}

const KEEP: TrackerPlan['apply'] = async (trx, flow) => (await findHooks(trx, flow.account_id, [flow.id]))[0];

/**
 * Plans what saving a flow changes in its webhook and at its tracker (TRK-7): the kind of the tracker becomes the
 * source of the webhook, a signing secret is generated, and the hook is registered at the tracker as long as the flow
 * is enabled.
 * @param stored - undefined for a new flow
 * @throws invalid_request, permission_denied
 */
export async function planTracker(
  trx: AnyTransaction,
  {
    principal,
    body,
    stored,
  }: { readonly principal: Principal; readonly body: TrackedBody; readonly stored?: FlowRow | undefined },
): Promise<TrackerPlan> {
  const { accountId } = principal;
  const given = body.tracker_config ?? undefined;
  const trigger = body.trigger ?? stored?.trigger ?? 'manual';
  if (trigger !== 'tracker') {
    if (given !== undefined) throw refuse('tracker_config', 'is only for flows with the trigger "tracker"');
    return { fields: {}, apply: (saving, flow) => leaveHook(saving, accountId, flow.id).then(() => undefined) };
  }
  const isTouched = [body.trigger, body.webhook_config, body.is_enabled, body.tracker_config].some(
    (field) => field !== undefined,
  );
  if (!isTouched) return { fields: {}, apply: KEEP };
  const hook = stored && (await findHooks(trx, accountId, [stored.id]))[0];
  const config = body.tracker_config === null ? undefined : (given ?? hook);
  if (config === undefined) return planUnconnected(accountId, body, stored);
  const { repository } = config;
  const tracker = await requireTracker(trx, principal, config, {
    isNamed: given !== undefined && isElsewhere(given, hook),
    isEnabled: isToRun(body, stored),
  });
  return {
    fields: { webhook_config: buildWebhookConfig(tracker.kind, body, stored) },
    apply: (saving, flow) =>
      wishHook(saving, { accountId, flowId: flow.id, trackerId: tracker.id, repository, isWanted: flow.is_enabled }),
  };
}

/**
 * Returns whether a config names another tracker or repository than the flow's hook. A config that is sent back
 * unchanged does not require the permission `view_trackers`, and its repository is checked against the tracker's list
 * only if the flow is enabled.
 */
function isElsewhere({ tracker_id: id, repository }: TrackerConfig, hook: HookRow | undefined): boolean {
  return hook === undefined || id !== hook.tracker_id || repository !== hook.repository;
}

/**
 * Returns whether the flow is enabled after it is saved. Any user who may edit a flow can disable it, regardless of its
 * tracker.
 */
function isToRun(body: TrackedBody, stored: FlowRow | undefined): boolean {
  return body.is_enabled ?? stored?.is_enabled ?? true;
}

/** Plans a flow that names no tracker yet: its webhook does not start it, because the webhook has no source yet. */
function planUnconnected(accountId: string, body: TrackedBody, stored: FlowRow | undefined): TrackerPlan {
  const { source, signing_secrets: secrets } = body.webhook_config ?? {};
  if (source !== undefined || (secrets ?? []).length > 0)
    throw refuse(
      'tracker_config',
      'is missing: a webhook source and signing secrets cannot be set before the flow names its tracker',
    );
  const { source: former, ...rest } = body.webhook_config ?? stored?.webhook_config ?? {};
  const isLeft = former !== undefined || stored?.webhook_config.source !== undefined;
  return {
    fields: isLeft ? { webhook_config: { ...rest, signing_secrets: null } } : {},
    apply: (saving, flow) => leaveHook(saving, accountId, flow.id).then(() => undefined),
  };
}

async function requireTracker(
  trx: AnyTransaction,
  principal: Principal,
  { tracker_id: id, repository }: TrackerConfig,
  { isNamed, isEnabled }: { readonly isNamed: boolean; readonly isEnabled: boolean },
): Promise<TrackerRow> {
  if (isNamed && !principal.permissions.has('view_trackers')) throw refusePermission(principal, 'view_trackers');
  const tracker = await findTracker(trx, { accountId: principal.accountId, id });
  if (tracker === undefined) throw refuse('tracker_config.tracker_id', 'is not a tracker of the account');
  requireRepository(tracker, repository, 'tracker_config.repository');
  if ((isNamed || isEnabled) && !coversRepository(tracker.repositories, repository))
    throw refuse('tracker_config.repository', `is not one of the repositories of the tracker "${tracker.name}"`);
  return tracker;
}

/**
 * Returns the webhook options of a flow with a tracker. Signing secrets are generated here and sent only to the
 * tracker.
 */
function buildWebhookConfig(kind: TrackerKind, body: TrackedBody, stored: FlowRow | undefined): WebhookOptions {
  checkGiven(kind, body.webhook_config ?? {});
  const config = body.webhook_config === undefined ? stored?.webhook_config : body.webhook_config;
  const { source: _source, signing_secrets: _secrets, ...rest } = config ?? {};
  const planned = TRACKER_HOSTS[kind].planEvents(rest.event_types ?? []);
  if (typeof planned === 'string')
    throw new AppError('invalid_request', { message: planned, detail: { field: 'webhook_config.event_types' } });
  const isSigned = stored?.webhook_config.source === kind && stored.webhook_signing_sealed !== null;
  return { ...rest, source: kind, signing_secrets: [isSigned ? HIDDEN_VALUE : randomBytes(32).toString('base64url')] };
}

function checkGiven(kind: TrackerKind, { source = kind, signing_secrets: secrets }: WebhookOptions): void {
  if (source !== kind) throw refuse('webhook_config.source', `must be "${kind}", the kind of the tracker`);
  if (secrets?.some((secret) => secret !== HIDDEN_VALUE) === true)
    throw refuse('webhook_config.signing_secrets', 'are generated by this service for a flow with a tracker');
}

function refuse(field: string, what: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${what}.`, detail: { field } });
}
