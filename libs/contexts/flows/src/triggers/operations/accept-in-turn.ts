import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { AppError } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { Clock } from '@steward/async';
import type { SessionWriteOptions } from '@steward/sessions';
import { requestStop } from '../../executions/operations/stop-execution.ts';
import { insertWorkspaceFiles, lockActiveByDedupeValue } from '../../executions/store/execution.store.ts';
import { holdFlow } from '../../flows/store/flow.store.ts';
import { answerHeldKey, nameKey } from '../rules/held-key.ts';
import { lockDedupeValue } from '../store/dedupe-lock.store.ts';
import { findHeldKeys, repointIdempotencyKey } from '../store/idempotency.store.ts';
import { insertTriggers, type TriggerRow } from '../store/trigger.store.ts';
import type { Trigger, TriggerOutcome } from '../trigger.ts';

interface TurnDeps {
  /**
   * Clock that is read after the trigger has taken the turn lock, so that times and ids are in the order of acceptance.
   */
  readonly clock: Clock;
  readonly options: SessionWriteOptions;
}

/**
 * Maximum number of attempts to claim the dedupe value: more than two are needed only if a gateway of an earlier
 * version does not take the turn lock.
 */
const MAX_ATTEMPTS = 5;

/**
 * Accepts one trigger in the caller's transaction; waits for concurrent triggers. Locks are taken in this order: the
 * turn lock of the dedupe value, the flow, then the rows. The turn lock is granted in the order of requests, so with
 * `supersede_on_update`, the last trigger of a burst is the one that is run. The turn lock is taken before every other
 * lock: a trigger that waits for it holds no lock that others need.
 *
 * The turn lock excludes every other trigger with the same dedupe value. During an upgrade, however, a gateway of an
 * earlier version does not take this lock: if a trigger of such a gateway was first, this trigger checks again, and
 * joins or supersedes the execution that it finds.
 */
export async function acceptInTurn(
  trx: AnyTransaction,
  hints: HintSink,
  trigger: Trigger,
  deps: TurnDeps,
): Promise<TriggerOutcome> {
  const { flowId, dedupeValue } = trigger;
  if (dedupeValue !== null) await lockDedupeValue(trx, flowId, dedupeValue);
  const flow = await holdFlow(trx, flowId);
  if (flow === undefined) return { kind: 'flow_changed' };
  const row = { trigger, executionId: newId(), auditId: newId(), now: deps.clock.now() };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const state = (await insertTriggers(trx, [row])).get(row.executionId);
    if (state === 'accepted') return finishAccepted(trx, hints, row);
    if (state === 'key_held') return answerRepeated(trx, row);
    if (state !== 'value_held') return { kind: 'flow_changed' };
    const supersedes = flow.webhook_config.supersede_on_update === true;
    const value = { flowId, dedupeValue: dedupeValue ?? '' };
    const active = await lockActiveByDedupeValue(trx, value, supersedes ? 'update' : 'key share');
    if (active === undefined) continue;
    if (!supersedes) {
      if (trigger.idempotency !== undefined)
        await repointIdempotencyKey(trx, { flowId, keyDigest: trigger.idempotency.keyDigest }, active.id);
      return { kind: 'deduplicated', execution: active };
    }
    const stop = { execution: active, reason: 'superseded by a newer trigger', now: row.now };
    await requestStop(trx, hints, stop, deps.options);
  }
  throw new AppError('unavailable', {
    message: 'Too many triggers with the same dedupe value at once.',
    retryAfterSeconds: 1,
  });
}

async function finishAccepted(
  trx: AnyTransaction,
  hints: HintSink,
  { trigger, executionId }: TriggerRow,
): Promise<TriggerOutcome> {
  const { accountId, flowId, files } = trigger;
  await insertWorkspaceFiles(trx, { accountId, executionId }, files);
  hints.add('trigger-accepted', { account_id: accountId, flow_id: flowId, execution_id: executionId });
  return { kind: 'accepted', execution: { id: executionId, status: 'PENDING' } };
}

async function answerRepeated(
  trx: AnyTransaction,
  { trigger: { flowId, idempotency }, now }: TriggerRow,
): Promise<TriggerOutcome> {
  if (idempotency === undefined) return { kind: 'flow_changed' };
  const key = { flowId, keyDigest: idempotency.keyDigest };
  const held = (await findHeldKeys(trx, [key], now)).get(nameKey(flowId, key.keyDigest));
  return held === undefined ? { kind: 'flow_changed' } : answerHeldKey(idempotency.bodyDigest, held);
}
