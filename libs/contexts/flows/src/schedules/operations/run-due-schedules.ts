import type { HintSink } from '@steward/contracts';
import { beginTrace, newId } from '@steward/crypto';
import { transact, type AnyDatabase, type AnyTransaction, type HintPublisher } from '@steward/database';
import { drawHop, inSpan } from '@steward/telemetry';
import { ON_TIME_SECONDS, SCHEDULE_DEFAULTS } from '../schedule-config.ts';
import { findNextDue, findStart, formatLocal, listDues } from '../rules/due-times.ts';
import { EXECUTION_HOP } from '../../triggers/store/trigger.store.ts';
import * as store from '../store/schedule.store.ts';
import type { Decided, DueClaim, DueSchedule } from '../store/schedule.store.ts';

export interface ScheduleDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
}

/** Decision on a due time, for the log. */
export interface DueDecision extends Decided {
  readonly flowId: string;
  readonly executionId: string;
}

export interface SchedulePass {
  readonly decided: DueDecision[];
  readonly failed: { readonly flowId: string; readonly error: unknown }[];
}

const PAGE = 100;
/** Maximum number of missed due times that are stored per flow. */
const MOST_MISSED = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Decides on every due time that has been reached. Other processes may do the same concurrently: the database lets only
 * one of them write. A schedule that cannot be computed does not delay the others.
 */
export async function runDueSchedules(deps: ScheduleDeps, signal: AbortSignal): Promise<SchedulePass> {
  const pass: SchedulePass = { decided: [], failed: [] };
  for (let after = FIRST_ID; !signal.aborted;) {
    const page = await store.listDueSchedules(deps.db, after, PAGE);
    for (const schedule of page) {
      if (signal.aborted) break;
      await decideSchedule(deps, schedule, pass);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.flowId;
  }
  return pass;
}

async function decideSchedule(deps: ScheduleDeps, schedule: DueSchedule, pass: SchedulePass): Promise<void> {
  const { flowId } = schedule;
  try {
    if (schedule.queuedDueAt !== null) await decide(deps, schedule, pass, startQueued);
    if (schedule.isDue) await decide(deps, schedule, pass, startDue);
  } catch (error) {
    pass.failed.push({ flowId, error });
  }
}

interface Rows {
  readonly executionId: string;
  readonly auditId: string;
  readonly traceparent: string;
}

type Start = (trx: AnyTransaction, schedule: DueSchedule, rows: Rows) => Promise<Decided | undefined>;

async function decide(deps: ScheduleDeps, schedule: DueSchedule, pass: SchedulePass, start: Start): Promise<void> {
  const { flowId } = schedule;
  const [executionId, traceparent] = [newId(), beginTrace()];
  const rows = { executionId, auditId: newId(), traceparent: drawHop(traceparent, EXECUTION_HOP) };
  const span = { name: 'start scheduled flow', kind: 'internal', traceparent, parent: null } as const;
  const decided = await inSpan(span, () =>
    transact({ ...deps, traceparent }, async (trx, hints: HintSink) => {
      const outcome = await start(trx, schedule, rows);
      if (outcome?.outcome === 'started')
        hints.add('trigger-accepted', { account_id: outcome.account_id, flow_id: flowId, execution_id: executionId });
      return outcome;
    }),
  );
  if (decided !== undefined) pass.decided.push({ ...decided, flowId, executionId });
}

const startQueued: Start = (trx, schedule, rows) => {
  const local = formatLocal(schedule.queuedDueAt as Date, schedule.config.time_zone);
  return store.startQueued(trx, schedule, { ...rows, local });
};

const startDue: Start = (trx, schedule, rows) => store.startDue(trx, schedule, { ...rows, ...reckonDue(schedule) });

/**
 * Decides which of the past due times starts a run: the last one, or none if it is late and the schedule does not catch
 * up. The others count as missed.
 */
export function reckonDue({
  flowId,
  config,
  anchor,
  nextDueAt,
  clock,
}: Pick<DueSchedule, 'flowId' | 'config' | 'anchor' | 'nextDueAt' | 'clock'>): Omit<DueClaim, keyof Rows> {
  const reckoned = { config, anchor };
  const first = nextDueAt as Date;
  const come = listDues(reckoned, first, clock, MOST_MISSED + 1).filter(
    (due) => findStart(flowId, due, config) <= clock,
  );
  // The stored due time has been reached, even if a newer version of the library or of the time zone data computes a
  // different one.
  const last = come.at(-1) ?? first;
  const start = findStart(flowId, last, config);
  const isOnTime = clock.getTime() - start.getTime() <= ON_TIME_SECONDS * 1000;
  const runs = isOnTime || (config.catch_up ?? SCHEDULE_DEFAULTS.catch_up);
  const following = findNextDue(reckoned, last);
  return {
    due: runs ? last : undefined,
    start: runs ? start : undefined,
    local: runs ? formatLocal(last, config.time_zone) : undefined,
    missed: (runs ? come.slice(0, -1) : come.length === 0 ? [last] : come).slice(-MOST_MISSED),
    following,
    followingStart: following === undefined ? undefined : findStart(flowId, following, config),
  };
}
