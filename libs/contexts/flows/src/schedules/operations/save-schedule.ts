import type { AnyTransaction } from '@steward/database';
import type { FlowRow, ScheduleRow } from '../../schema.ts';
import { findNextDue, findStart } from '../rules/due-times.ts';
import { lockFlow } from '../../flows/store/flow.store.ts';
import * as store from '../store/schedule.store.ts';

type ScheduledFlow = Pick<FlowRow, 'id' | 'account_id' | 'trigger' | 'is_enabled' | 'schedule_config'>;

/**
 * Computes the next due time of a saved flow, in the transaction that saves it. Earlier due times are dropped, and a
 * queued due time starts no run, since it belongs to the previous schedule.
 */
export async function saveSchedule(trx: AnyTransaction, flow: ScheduledFlow): Promise<void> {
  const { id: flowId, account_id: accountId } = flow;
  const current = await store.findSchedule(trx, flowId);
  if (!hasSchedule(flow)) {
    if (current !== undefined) await endSchedule(trx, flowId);
    return;
  }
  const now = await store.readScheduleClock(trx);
  const row = { flow_id: flowId, account_id: accountId, anchor_at: now, paused_at: current?.paused_at ?? null };
  await reckonNext(trx, flow, { ...row, revision: current?.revision ?? 0 }, { now, reason: 'schedule_changed' });
}

/**
 * Returns whether a flow has a schedule. A flow that is only started manually has none. The trigger `schedule` requires
 * one; a flow with another trigger may have one in addition.
 */
export function hasSchedule({ trigger, schedule_config }: Pick<FlowRow, 'trigger' | 'schedule_config'>): boolean {
  return trigger !== 'manual' && schedule_config !== null;
}

/**
 * Pauses or resumes the schedule of a flow. Due times of a paused schedule are skipped: they start no runs when the
 * schedule is resumed. A due time that was queued before the pause starts no run either.
 */
export async function setSchedulePaused(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly flowId: string },
  paused: boolean,
): Promise<'changed' | 'unchanged' | 'no_schedule' | 'not_found'> {
  const flow = await lockFlow(trx, key.accountId, key.flowId);
  if (flow === undefined) return 'not_found';
  const current = await store.findSchedule(trx, flow.id);
  if (current === undefined) return 'no_schedule';
  if ((current.paused_at !== null) === paused) return 'unchanged';
  const now = await store.readScheduleClock(trx);
  await reckonNext(trx, flow, { ...current, paused_at: paused ? now : null }, { now, reason: 'paused' });
  return 'changed';
}

async function endSchedule(trx: AnyTransaction, flowId: string): Promise<void> {
  await store.skipQueued(trx, flowId, 'schedule_changed');
  await store.deleteSchedule(trx, flowId);
}

type Kept = Pick<ScheduleRow, 'flow_id' | 'account_id' | 'revision' | 'anchor_at' | 'paused_at'>;

async function reckonNext(
  trx: AnyTransaction,
  flow: ScheduledFlow,
  kept: Kept,
  { now, reason }: { readonly now: Date; readonly reason: string },
): Promise<void> {
  const config = flow.schedule_config ?? {};
  const runs = flow.is_enabled && kept.paused_at === null;
  const next = runs ? findNextDue({ config, anchor: kept.anchor_at }, now) : undefined;
  await store.skipQueued(trx, flow.id, reason);
  await store.writeSchedule(trx, {
    ...kept,
    revision: kept.revision + 1,
    next_due_at: next ?? null,
    next_start_at: next === undefined ? null : findStart(flow.id, next, config),
    queued_due_at: null,
  });
}
