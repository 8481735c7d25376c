import type { AnswerBody } from '@steward/http';
import { findNextDues, formatLocal, type ScheduleConfig, type ScheduledFlow } from '@steward/flows';
import type { NextDueTimes, ScheduleAnswer } from './schedule-schemas.ts';

const SHOWN = 5;

export function presentSchedule(flow: ScheduledFlow): AnswerBody<typeof ScheduleAnswer> {
  const config = flow.schedule_config ?? {};
  return {
    flow_id: flow.flow_id,
    flow_name: flow.name,
    schedule_config: config,
    state: describeState(flow),
    paused_at: flow.paused_at,
    // The list starts with the stored due time, even if that time has been reached but not been processed yet.
    next_due_times:
      flow.next_due_at === null
        ? []
        : presentDues(config, flow.anchor_at, new Date(flow.next_due_at.getTime() - 1)).next_due_times,
    queued_due_at: flow.queued_due_at,
    last_due_at: flow.last_due_at,
    last_outcome: flow.last_outcome,
    last_execution_id: flow.last_execution_id,
  };
}

export function presentDues(config: ScheduleConfig, anchor: Date, after: Date): AnswerBody<typeof NextDueTimes> {
  const dues = findNextDues({ config, anchor }, after, SHOWN);
  return { next_due_times: dues.map((due) => ({ due_at: due, due_local: formatLocal(due, config.time_zone) })) };
}

function describeState(flow: ScheduledFlow): AnswerBody<typeof ScheduleAnswer>['state'] {
  if (!flow.is_enabled) return 'disabled';
  if (flow.paused_at !== null) return 'paused';
  return flow.next_due_at === null ? 'over' : 'active';
}
