import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Updateable } from 'kysely';
import { newId, type SecretBox } from '@steward/crypto';
import { isUniqueViolation, type AnyTransaction } from '@steward/database';
import { toStorableJson } from '@steward/text';
import { openAgentSecrets, sealAgentSecrets } from './agent-secrets.ts';
import { buildWebhookSecret, describeWebhookSecret, hashWebhookSecret, hasWebhook } from '../rules/webhook-secret.ts';
import { openSigningSecrets, sealSigningSecrets } from './signing-secrets.ts';
import { splitSigningSecrets } from '../rules/signing-secrets.ts';
import type { FlowFields } from '../flow-fields.ts';
import { NO_AGENT_SECRETS, splitAgentSecrets } from '../rules/agent-secrets.ts';
import type { FlowRow, FlowTable, NewFlow } from '../../schema.ts';
import { saveSchedule } from '../../schedules/operations/save-schedule.ts';
import * as store from '../store/flow.store.ts';

/**
 * The secret boxes of flows, one per purpose: only the gateway decrypts the secret of the URL and the signing secrets;
 * the gateway and the worker decrypt the agent's secrets.
 */
export interface FlowBoxes {
  readonly webhook: SecretBox;
  readonly agent: SecretBox;
}

export type SaveFlowOutcome =
  | { readonly kind: 'saved'; readonly flow: FlowRow }
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'not_found' }
  /** The placeholder `HIDDEN_VALUE` was sent for a field that has no stored secret. */
  | { readonly kind: 'nothing_stored'; readonly field: string };

/** Creates a flow; a flow that is started by webhooks gets its secret immediately. */
export async function createFlow(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly fields: FlowFields },
  boxes: FlowBoxes,
): Promise<SaveFlowOutcome> {
  const id = newId();
  const secret = hasWebhook(input.fields) ? sealNewSecret(id, boxes.webhook) : NO_SECRET;
  const split = splitAgentSecrets(toStorableJson(input.fields), { secrets: NO_AGENT_SECRETS });
  if (split.kind !== 'split') return split;
  const signing = splitSigningSecrets(input.fields.webhook_config, []);
  if (signing.kind !== 'split') return signing;
  const columns = toColumns({ ...input.fields, ...split.fields, webhook_config: signing.config ?? null });
  const sealed = {
    agent_secrets_sealed: sealAgentSecrets(split.secrets, id, boxes.agent),
    webhook_signing_sealed: sealSigningSecrets(signing.secrets ?? [], id, boxes.webhook),
  };
  const row = { ...columns, ...secret, ...sealed, id, account_id: input.accountId };
  const outcome = await refuseTakenName(() => store.insertFlow(trx, row as NewFlow));
  if (outcome.kind === 'saved') await saveSchedule(trx, outcome.flow);
  return outcome;
}

const NO_SECRET = { webhook_secret_sealed: null, webhook_secret_hash: null, webhook_secret_hint: null };

/**
 * Changes those fields of a flow that were sent. The stored webhook secret is retained, whatever the update contains in
 * `webhook_config`: a client that sends back a config that it read must not delete or choose the secret. Switching to a
 * trigger that uses the webhook creates a secret if there is none.
 */
export async function updateFlow(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly flowId: string; readonly fields: Partial<FlowFields> },
  boxes: FlowBoxes,
): Promise<SaveFlowOutcome> {
  const current = await store.lockFlow(trx, input.accountId, input.flowId);
  if (current === undefined) return { kind: 'not_found' };
  const wanted = {
    trigger: input.fields.trigger ?? current.trigger,
    webhook_config: input.fields.webhook_config === undefined ? current.webhook_config : input.fields.webhook_config,
  };
  const secret =
    hasWebhook(wanted) && current.webhook_secret_hash === null ? sealNewSecret(current.id, boxes.webhook) : {};
  const split = splitAgentSecrets(toStorableJson(input.fields), {
    secrets: openAgentSecrets(current, current.agent_secrets_sealed, boxes.agent),
    repositoryUrl: current.git_clone_config?.repository_url,
  });
  if (split.kind !== 'split') return split;
  // The column is written only if the update contains fields with secrets; otherwise, the secrets stay sealed as they
  // are stored.
  const touches = Object.keys(split.fields).length > 0;
  const agent = touches ? { agent_secrets_sealed: sealAgentSecrets(split.secrets, current.id, boxes.agent) } : {};
  const signing = splitSigningSecrets(input.fields.webhook_config, openSigningSecrets(current, boxes.webhook));
  if (signing.kind !== 'split') return signing;
  const { config, secrets } = signing;
  const signed =
    secrets === undefined ? {} : { webhook_signing_sealed: sealSigningSecrets(secrets, current.id, boxes.webhook) };
  const webhook = config === undefined ? {} : { webhook_config: config };
  const columns = { ...toColumns({ ...input.fields, ...split.fields, ...webhook }), ...secret, ...agent, ...signed };
  const key = { accountId: input.accountId, flowId: current.id };
  const outcome = await refuseTakenName(() => store.updateFlow(trx, key, columns));
  if (outcome.kind === 'saved' && changesSchedule(current, outcome.flow)) await saveSchedule(trx, outcome.flow);
  return outcome;
}

/**
 * Returns whether an update changed the schedule or the trigger, or enabled or disabled the flow. An update that sends
 * back the stored values does none of these.
 */
function changesSchedule(before: FlowRow, after: FlowRow): boolean {
  const read = ({ trigger, is_enabled, schedule_config }: FlowRow) => [trigger, is_enabled, schedule_config];
  return !isDeepStrictEqual(read(before), read(after));
}

export type RotateSecretOutcome =
  | { readonly kind: 'rotated'; readonly flow: FlowRow; readonly secret: string }
  | { readonly kind: 'no_webhook_trigger' }
  | { readonly kind: 'not_found' };

/** Replaces the webhook secret of a flow; after the commit, the old URL returns 404. */
export async function rotateFlowSecret(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly flowId: string },
  box: SecretBox,
): Promise<RotateSecretOutcome> {
  const current = await store.lockFlow(trx, key.accountId, key.flowId);
  if (current === undefined) return { kind: 'not_found' };
  if (!hasWebhook(current)) return { kind: 'no_webhook_trigger' };
  const flow = await store.updateFlow(trx, key, sealNewSecret(current.id, box));
  return { kind: 'rotated', flow, secret: openFlowSecret(flow, box) ?? '' };
}

/**
 * Returns the webhook secret in plaintext, for users who may edit the flow and for its hook at a tracker; null if there
 * is none.
 */
export function openFlowSecret(flow: Pick<FlowRow, 'id' | 'webhook_secret_sealed'>, box: SecretBox): string | null {
  return flow.webhook_secret_sealed === null ? null : box.open(flow.webhook_secret_sealed, flow.id);
}

function sealNewSecret(flowId: string, box: SecretBox): Updateable<FlowTable> {
  const secret = buildWebhookSecret(randomBytes);
  return {
    webhook_secret_sealed: box.seal(secret, flowId),
    webhook_secret_hash: hashWebhookSecret(secret),
    webhook_secret_hint: describeWebhookSecret(secret),
  };
}

const JSON_COLUMNS = [
  'agent_config',
  'webhook_config',
  'schedule_config',
  'git_clone_config',
  'evidence',
  'reporting',
  'network_secrets',
] as const;

/**
 * Returns the columns of the fields that were sent; JSON columns as strings. The webhook secret is stored in separate
 * columns, and never in `webhook_config`.
 */
function toColumns(fields: Partial<FlowFields>): Updateable<FlowTable> {
  const columns: Record<string, unknown> = { ...toStorableJson(fields) };
  for (const name of JSON_COLUMNS) {
    if (!(name in columns)) continue;
    const value = columns[name];
    columns[name] =
      name === 'webhook_config' ? JSON.stringify(withoutSecret(value)) : value === null ? null : JSON.stringify(value);
  }
  return columns as Updateable<FlowTable>;
}

function withoutSecret(value: unknown): object {
  const { webhook_secret: _secret, ...rest } = (value ?? {}) as Record<string, unknown>;
  return rest;
}

async function refuseTakenName(write: () => Promise<FlowRow>): Promise<SaveFlowOutcome> {
  try {
    return { kind: 'saved', flow: await write() };
  } catch (error) {
    if (isUniqueViolation(error, 'flow_account_id_name_key')) return { kind: 'name_taken' };
    throw error;
  }
}
