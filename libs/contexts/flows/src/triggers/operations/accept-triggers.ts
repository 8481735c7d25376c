import {
  isTransientDatabaseError,
  readSqlState,
  transact,
  type AnyDatabase,
  type HintBatchPublisher,
  type HintPublisher,
} from '@steward/database';
import { newId } from '@steward/crypto';
import { messageHop } from '@steward/telemetry';
import type { Clock } from '@steward/async';
import type { SessionWriteOptions } from '@steward/sessions';
import { answerHeldKey, nameGroup, nameKey, type HeldKey } from '../rules/held-key.ts';
import { findHeldKeys } from '../store/idempotency.store.ts';
import { insertTriggers, type TriggerRow, type TriggerRowState } from '../store/trigger.store.ts';
import type { Trigger, TriggerOutcome } from '../trigger.ts';
import { acceptInTurn } from './accept-in-turn.ts';

export interface AcceptDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher & HintBatchPublisher;
  readonly clock: Clock;
  readonly options: SessionWriteOptions;
}

/**
 * Converts triggers to executions, with their files, keys and audit rows, and publishes their hints; the outcomes are
 * in the order of the triggers. Triggers that need only rows are written by one statement, which is one transaction; if
 * one of them causes an error, the error is thrown for all and none is written. A trigger with files or a dedupe value
 * gets a separate transaction, as does every trigger if `waits` is true: such a trigger may have to wait for other
 * triggers, and the rest of the batch should not have to wait with it.
 */
export async function acceptTriggers(
  deps: AcceptDeps,
  triggers: readonly Trigger[],
  { waits }: { readonly waits: boolean } = { waits: false },
): Promise<TriggerOutcome[]> {
  const together = waits ? [] : triggers.filter((trigger) => !isAlone(trigger));
  const outcomes = together.length === 0 ? new Map<Trigger, TriggerOutcome>() : await acceptTogether(deps, together);
  for (const trigger of triggers) {
    if (outcomes.has(trigger)) continue;
    const { traceparent } = trigger;
    const accept = transact({ ...deps, traceparent }, (trx, hints) => acceptInTurn(trx, hints, trigger, deps));
    outcomes.set(trigger, await accept);
  }
  return triggers.map((trigger) => outcomes.get(trigger) as TriggerOutcome);
}

/** Returns true if a trigger always needs a separate transaction, because it has a dedupe value or files. */
export function isAlone({ dedupeValue, files }: Trigger): boolean {
  return dedupeValue !== null || files.length > 0;
}

async function acceptTogether(deps: AcceptDeps, triggers: readonly Trigger[]): Promise<Map<Trigger, TriggerOutcome>> {
  const now = deps.clock.now();
  // The first of several triggers with the same key is written; the others get the execution of that key.
  const groups = new Map<string | Trigger, TriggerRow>();
  for (const trigger of triggers) {
    const name = nameGroup(trigger);
    if (!groups.has(name)) groups.set(name, { trigger, executionId: newId(), auditId: newId(), now });
  }
  const rows = [...groups.values()];
  const states = await insertTriggers(deps.db, rows);
  publishAccepted(deps.broker, rows, states);
  const held = await findKeysOf(deps.db, rows, states);
  const decide = (trigger: Trigger): TriggerOutcome => {
    const leader = groups.get(nameGroup(trigger));
    if (leader?.trigger === trigger && states.get(leader.executionId) === 'accepted')
      return { kind: 'accepted', execution: { id: leader.executionId, status: 'PENDING' } };
    const key = leader === undefined ? undefined : held.get(leader);
    return key === undefined || trigger.idempotency === undefined
      ? { kind: 'flow_changed' }
      : answerHeldKey(trigger.idempotency.bodyDigest, key);
  };
  return new Map(triggers.map((trigger) => [trigger, decide(trigger)]));
}

type States = ReadonlyMap<string, TriggerRowState>;

function publishAccepted(broker: HintBatchPublisher, rows: readonly TriggerRow[], states: States): void {
  const accepted = rows.filter(({ executionId }) => states.get(executionId) === 'accepted');
  broker.publishHints(
    'trigger-accepted',
    accepted.map(({ trigger, executionId }) => ({
      account_id: trigger.accountId,
      flow_id: trigger.flowId,
      execution_id: executionId,
      traceparent: messageHop(trigger.traceparent, 'trigger-accepted'),
    })),
  );
}

/** Returns the executions to which the keys of the rows now refer: those of the rows themselves, or earlier ones. */
async function findKeysOf(
  db: AnyDatabase,
  rows: readonly TriggerRow[],
  states: States,
): Promise<Map<TriggerRow, HeldKey>> {
  const found = new Map<TriggerRow, HeldKey>();
  const before: { readonly row: TriggerRow; readonly flowId: string; readonly keyDigest: Buffer }[] = [];
  for (const row of rows) {
    const { flowId, idempotency } = row.trigger;
    const state = states.get(row.executionId);
    if (idempotency === undefined) continue;
    if (state === 'accepted') found.set(row, { ...idempotency, executionId: row.executionId, status: 'PENDING' });
    if (state === 'key_held') before.push({ row, flowId, keyDigest: idempotency.keyDigest });
  }
  // An error of this read is ignored, because the other triggers have been committed. If the error persists, it is
  // reported when the triggers in `before` are processed one at a time.
  const held = await findHeldKeys(db, before, rows[0]?.now ?? new Date()).catch(() => new Map<string, HeldKey>());
  for (const { row, flowId, keyDigest } of before) {
    const key = held.get(nameKey(flowId, keyDigest));
    if (key !== undefined) found.set(row, key);
  }
  return found;
}

/**
 * Returns whether the triggers of a failed batch may be accepted one at a time: true if the server itself refused the
 * statement, because then nothing was written, and a single trigger may be the cause. An outage affects all triggers,
 * and after a lost connection the batch may or may not have been committed.
 */
export function mayAcceptSingly(error: unknown): boolean {
  const state = readSqlState(error);
  if (state === undefined) return false;
  return state === '40001' || state === '40P01' || !isTransientDatabaseError(error);
}
