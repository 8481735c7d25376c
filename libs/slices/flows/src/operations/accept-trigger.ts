import { sql, type Transaction } from 'kysely';
import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { newId, toStorableText } from '@steward/runtime';
import type { FlowWriteOptions } from '../flow-options.ts';
import { buildEventDetails } from '../rules/event-details.ts';
import { digest } from '../rules/idempotency.ts';
import { readPath, splitPath } from '../rules/read-path.ts';
import type { WorkspaceFile } from '../rules/workspace-files.ts';
import type { ExecutionRow, FlowRow, FlowsDatabase, FlowTrigger } from '../schema.ts';
import * as executions from '../store/execution.store.ts';
import { claimIdempotencyKey, repointIdempotencyKey } from '../store/idempotency.store.ts';
import { requestStop } from './stop-execution.ts';

export interface AcceptTriggerInput {
  readonly flow: Pick<FlowRow, 'id' | 'account_id' | 'name' | 'webhook_config'>;
  readonly triggerType: FlowTrigger;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The JSON text `payload` was parsed from, when the whole of it is the payload. */
  readonly payloadText?: string | undefined;
  readonly files: readonly WorkspaceFile[];
  /** With it, the same key within 24 hours answers the first execution. */
  readonly idempotency?: { readonly key: string; readonly body: Buffer } | undefined;
  readonly retryOfExecutionId?: string;
  readonly now: Date;
}

export type AcceptTriggerOutcome =
  | { readonly kind: 'accepted' | 'deduplicated'; readonly execution: ExecutionRow }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'flow_gone' };

/**
 * Turns one trigger into one execution row with its files, inside the caller's transaction. Order: idempotency key,
 * dedupe value, insert. The validated files must be those of `payload.workspace_files`.
 */
export async function acceptTrigger(
  anyTrx: AnyTransaction,
  hints: HintSink,
  input: AcceptTriggerInput,
  options: FlowWriteOptions,
): Promise<AcceptTriggerOutcome> {
  const trx = anyTrx as Transaction<FlowsDatabase>;
  const { flow, now } = input;
  if (!(await holdFlow(trx, flow.id))) return { kind: 'flow_gone' };
  const executionId = newId();
  const claim =
    input.idempotency === undefined
      ? undefined
      : {
          flowId: flow.id,
          accountId: flow.account_id,
          keyDigest: digest(input.idempotency.key),
          bodyDigest: digest(input.idempotency.body),
          executionId,
          now,
        };
  if (claim !== undefined) {
    const held = await claimIdempotencyKey(trx, claim);
    if (held !== undefined) return answerHeldKey(trx, flow.account_id, held, claim.bodyDigest);
  }
  const dedupeValue = readDedupeValue(flow, input.payload);
  const active = await resolveActive(anyTrx, hints, { input, dedupeValue }, options);
  if (active !== undefined) {
    if (claim !== undefined) await repointIdempotencyKey(trx, claim, active.id);
    return { kind: 'deduplicated', execution: active };
  }
  const execution = await executions.insertExecution(trx, buildExecution(input, executionId, dedupeValue));
  if (execution === undefined) {
    // Another transaction inserted the same dedupe value after the look above; it is committed now.
    const winner = await executions.lockActiveByDedupeValue(trx, flow.id, dedupeValue ?? '');
    if (winner === undefined) throw new Error('an execution with the same dedupe value came and went at once');
    if (claim !== undefined) await repointIdempotencyKey(trx, claim, winner.id);
    return { kind: 'deduplicated', execution: winner };
  }
  await executions.insertWorkspaceFiles(trx, { accountId: flow.account_id, executionId }, input.files);
  hints.add('trigger-accepted', { account_id: flow.account_id, flow_id: flow.id, execution_id: executionId });
  return { kind: 'accepted', execution };
}

/** A shared lock on the flow: it cannot be deleted before this transaction ends. Triggers do not wait for each other. */
async function holdFlow(trx: Transaction<FlowsDatabase>, flowId: string): Promise<boolean> {
  const held = await sql`select 1 from flows.flow where id = ${flowId} for key share`.execute(trx);
  return held.rows.length > 0;
}

async function answerHeldKey(
  trx: Transaction<FlowsDatabase>,
  accountId: string,
  held: { bodyDigest: Buffer; executionId: string },
  bodyDigest: Buffer,
): Promise<AcceptTriggerOutcome> {
  if (!held.bodyDigest.equals(bodyDigest)) return { kind: 'key_reused' };
  const execution = await executions.findExecution(trx, accountId, held.executionId);
  if (execution === undefined) throw new Error('an idempotency key points at no execution');
  return { kind: 'deduplicated', execution };
}

/** The active execution that answers this trigger, or undefined when a new one has to start. */
async function resolveActive(
  trx: AnyTransaction,
  hints: HintSink,
  trigger: { readonly input: AcceptTriggerInput; readonly dedupeValue: string | null },
  options: FlowWriteOptions,
): Promise<ExecutionRow | undefined> {
  const { input, dedupeValue } = trigger;
  if (dedupeValue === null) return undefined;
  const active = await executions.lockActiveByDedupeValue(
    trx as Transaction<FlowsDatabase>,
    input.flow.id,
    dedupeValue,
  );
  if (active === undefined || input.flow.webhook_config.supersede_on_update !== true) return active;
  await requestStop(
    trx,
    hints,
    { execution: active, reason: 'superseded by a newer trigger', now: input.now },
    options,
  );
  return undefined;
}

/** The value at the flow's `dedupe_path`, as text; null when the flow has no path or the payload no such value. */
function readDedupeValue(flow: Pick<FlowRow, 'webhook_config'>, payload: unknown): string | null {
  const path = flow.webhook_config.dedupe_path;
  if (path === undefined || path === '') return null;
  const found = readPath(payload, splitPath(path));
  if (!found.found || found.value === null) return null;
  const text = typeof found.value === 'string' ? found.value : JSON.stringify(found.value);
  // An index entry is bounded; equal digests stand for equal values.
  return text.length <= 200 ? text : `sha256:${digest(text).toString('hex')}`;
}

function buildExecution(input: AcceptTriggerInput, executionId: string, dedupeValue: string | null) {
  return {
    id: executionId,
    account_id: input.flow.account_id,
    flow_id: input.flow.id,
    flow_name: input.flow.name,
    status: 'PENDING' as const,
    failure_category: null,
    error_message: null,
    trigger_type: input.triggerType,
    trigger_event_details: buildEventDetails({ ...input, receivedAt: input.now }),
    resolved_input_prompt: null,
    runtime_session_id: null,
    result: null,
    evidence_receipt: null,
    dedupe_value: dedupeValue === null ? null : toStorableText(dedupeValue),
    retry_of_execution_id: input.retryOfExecutionId ?? null,
    stop_requested_at: null,
    lease_token: null,
    lease_until: null,
    worker_id: null,
    created_at: input.now,
    started_at: null,
    finished_at: null,
  };
}
