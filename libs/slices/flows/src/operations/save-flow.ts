import { randomBytes } from 'node:crypto';
import type { Transaction, Updateable } from 'kysely';
import { isUniqueViolation, type AnyTransaction } from '@steward/database';
import { newId, toStorableJson, type SecretBox } from '@steward/runtime';
import { buildWebhookSecret, describeWebhookSecret, hashWebhookSecret } from '../rules/webhook-secret.ts';
import type {
  AgentType,
  EvidenceConfig,
  FlowRow,
  FlowsDatabase,
  FlowTable,
  FlowTrigger,
  GitCloneConfig,
  NewFlow,
  WebhookOptions,
} from '../schema.ts';
import * as store from '../store/flow.store.ts';

/** What a client may set. `webhook_config.webhook_secret` is accepted so that a client can send back what it read; see `updateFlow`. */
export interface FlowFields {
  readonly name: string;
  readonly description: string | null;
  readonly is_enabled: boolean;
  readonly trigger: FlowTrigger;
  readonly prompt_template: string;
  readonly ai_model_id: string | null;
  readonly agent_type: AgentType;
  readonly agent_config: Readonly<Record<string, unknown>>;
  readonly allowed_tools: readonly string[];
  readonly webhook_config: WebhookOptions | null;
  readonly git_clone_config: GitCloneConfig | null;
  readonly setup_commands: readonly string[];
  readonly timeout_seconds: number;
  readonly evidence: EvidenceConfig | null;
}

export type SaveFlowOutcome =
  { readonly kind: 'saved'; readonly flow: FlowRow } | { readonly kind: 'name_taken' } | { readonly kind: 'not_found' };

/** Creates a flow; one with a webhook trigger gets its secret at once. */
export function createFlow(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly fields: FlowFields },
  box: SecretBox,
): Promise<SaveFlowOutcome> {
  const id = newId();
  const secret = input.fields.trigger === 'webhook' ? sealNewSecret(id, box) : NO_SECRET;
  const row = { ...toColumns(input.fields), ...secret, id, account_id: input.accountId };
  return refuseTakenName(() => store.insertFlow(trx as Transaction<FlowsDatabase>, row as NewFlow));
}

const NO_SECRET = { webhook_secret_sealed: null, webhook_secret_hash: null, webhook_secret_hint: null };

/**
 * Changes the given fields. The stored secret stays whatever the update carries in `webhook_config` (a client that sends
 * back what it read must not wipe or choose it); switching to a webhook trigger makes one when there is none.
 */
export async function updateFlow(
  anyTrx: AnyTransaction,
  input: { readonly accountId: string; readonly flowId: string; readonly fields: Partial<FlowFields> },
  box: SecretBox,
): Promise<SaveFlowOutcome> {
  const trx = anyTrx as Transaction<FlowsDatabase>;
  const current = await store.lockFlow(trx, input.accountId, input.flowId);
  if (current === undefined) return { kind: 'not_found' };
  const trigger = input.fields.trigger ?? current.trigger;
  const secret = trigger === 'webhook' && current.webhook_secret_hash === null ? sealNewSecret(current.id, box) : {};
  return refuseTakenName(() =>
    store.updateFlow(
      trx,
      { accountId: input.accountId, flowId: current.id },
      { ...toColumns(input.fields), ...secret },
    ),
  );
}

export type RotateSecretOutcome =
  | { readonly kind: 'rotated'; readonly flow: FlowRow; readonly secret: string }
  | { readonly kind: 'no_webhook_trigger' }
  | { readonly kind: 'not_found' };

/** A new secret; the old URL answers 404 from the commit on. */
export async function rotateFlowSecret(
  anyTrx: AnyTransaction,
  key: { readonly accountId: string; readonly flowId: string },
  box: SecretBox,
): Promise<RotateSecretOutcome> {
  const trx = anyTrx as Transaction<FlowsDatabase>;
  const current = await store.lockFlow(trx, key.accountId, key.flowId);
  if (current === undefined) return { kind: 'not_found' };
  if (current.trigger !== 'webhook') return { kind: 'no_webhook_trigger' };
  const flow = await store.updateFlow(trx, key, sealNewSecret(current.id, box));
  return { kind: 'rotated', flow, secret: openFlowSecret(flow, box) ?? '' };
}

/** The secret in clear, for those who may edit the flow. Null without one. */
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

const JSON_COLUMNS = ['agent_config', 'webhook_config', 'git_clone_config', 'evidence'] as const;

/** Only the fields given; JSON columns as text. The secret has columns of its own and never enters `webhook_config`. */
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
