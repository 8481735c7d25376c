import { isTransientDatabaseError, readSqlState, type HintBatchPublisher, type StatementPool } from '@steward/database';
import type { ExecutionRow } from '../schema.ts';
import {
  findHeldKeys,
  insertTriggerBatch,
  type BatchRowState,
  type BatchTrigger,
  type HeldKey,
} from '../store/trigger-batch.store.ts';

export type BatchTriggerOutcome =
  | { readonly kind: 'accepted' | 'deduplicated'; readonly execution: Pick<ExecutionRow, 'id' | 'status'> }
  | { readonly kind: 'key_reused' }
  /** Nothing was written: read the flow again and decide anew, one trigger at a time. */
  | { readonly kind: 'flow_changed' };

interface BatchDeps {
  readonly pool: StatementPool;
  readonly broker: HintBatchPublisher;
}

/**
 * Accepts many triggers in one statement, which is one transaction with their audit rows, and publishes their hints after
 * it. Outcomes come in the order of the triggers. What one of them breaks throws for all of them and writes nothing.
 */
export async function acceptTriggerBatch(
  deps: BatchDeps,
  triggers: readonly BatchTrigger[],
): Promise<BatchTriggerOutcome[]> {
  // Of the triggers with one key the first is written; the others are answered from its outcome.
  const leaders = new Map<string, BatchTrigger>();
  for (const trigger of triggers) {
    const group = nameGroup(trigger);
    if (!leaders.has(group)) leaders.set(group, trigger);
  }
  const states = await insertTriggerBatch(deps.pool, [...leaders.values()]);
  const ofState = (wanted: BatchRowState) =>
    [...leaders.values()].filter((leader) => states.get(leader.executionId) === wanted);
  publishAccepted(deps.broker, ofState('accepted'));
  const held = ofState('key_held');
  const heldKeys = held.length === 0 ? new Map<string, HeldKey>() : await readHeldKeys(deps.pool, held);
  return triggers.map((trigger) => {
    const group = nameGroup(trigger);
    const leader = leaders.get(group) ?? trigger;
    const state = states.get(leader.executionId);
    if (state === 'accepted') return answerFromLeader(trigger, leader);
    const key = trigger.idempotency?.keyDigest;
    const known = state !== 'key_held' || key === undefined ? undefined : heldKeys.get(nameKey(trigger.flowId, key));
    return known === undefined ? { kind: 'flow_changed' } : answerFromHeldKey(trigger, known);
  });
}

/**
 * True when the server itself refused the statement: then nothing of it was written, and it may have been one trigger's
 * fault. An outage is the same for every one, and after a lost connection nobody knows whether the batch was committed.
 */
export function mayAcceptSingly(error: unknown): boolean {
  const state = readSqlState(error);
  if (state === undefined) return false;
  return state === '40001' || state === '40P01' || !isTransientDatabaseError(error);
}

/**
 * Triggers with one name are decided as one. The secret belongs to it: its holder must not be answered for one that holds a
 * replaced one. Of two secrets at most one is the flow's, so the key is claimed once all the same.
 */
function nameGroup({ executionId, flowId, secretHash, idempotency }: BatchTrigger): string {
  if (idempotency === undefined) return executionId;
  return `${flowId}:${secretHash.toString('hex')}:${idempotency.keyDigest.toString('hex')}`;
}

function nameKey(flowId: string, keyDigest: Buffer): string {
  return `${flowId}:${keyDigest.toString('hex')}`;
}

function publishAccepted(broker: HintBatchPublisher, triggers: readonly BatchTrigger[]): void {
  broker.publishHints(
    'trigger-accepted',
    triggers.map((t) => ({ account_id: t.accountId, flow_id: t.flowId, execution_id: t.executionId })),
  );
}

/** The neighbours of an accepted trigger are committed: whatever fails here is met again, and answered, one at a time. */
async function readHeldKeys(pool: StatementPool, triggers: readonly BatchTrigger[]): Promise<Map<string, HeldKey>> {
  const keys = triggers.flatMap(({ flowId, idempotency }) =>
    idempotency === undefined ? [] : [{ flowId, keyDigest: idempotency.keyDigest }],
  );
  const rows = await findHeldKeys(pool, keys).catch(() => []);
  return new Map(rows.map((row) => [nameKey(row.flow_id, row.key_digest), row]));
}

function answerFromLeader(trigger: BatchTrigger, leader: BatchTrigger): BatchTriggerOutcome {
  const execution = { id: leader.executionId, status: 'PENDING' as const };
  if (trigger === leader) return { kind: 'accepted', execution };
  return isSameBody(trigger, leader.idempotency?.bodyDigest)
    ? { kind: 'deduplicated', execution }
    : { kind: 'key_reused' };
}

function answerFromHeldKey(trigger: BatchTrigger, held: HeldKey): BatchTriggerOutcome {
  if (!isSameBody(trigger, held.body_digest)) return { kind: 'key_reused' };
  return { kind: 'deduplicated', execution: { id: held.execution_id, status: held.status } };
}

function isSameBody(trigger: BatchTrigger, bodyDigest: Buffer | undefined): boolean {
  return bodyDigest !== undefined && trigger.idempotency?.bodyDigest.equals(bodyDigest) === true;
}
