import { useOpened } from '@steward/testing';
import { updateFlow } from '../flows/operations/save-flow.ts';
import type { DueTimeRow, FlowRow, ScheduleRow } from '../schema.ts';
import { runDueSchedules } from '../schedules/operations/run-due-schedules.ts';
import { setSchedulePaused } from '../schedules/operations/save-schedule.ts';
import type { ScheduleConfig } from '../schedules/schedule-config.ts';
import { listDueTimes } from '../schedules/store/schedule.store.ts';
import { openFlows } from './open-flows.ts';
import { setScheduleClock } from './set-schedule-clock.ts';

const START = Date.parse('2026-06-01T00:00:30Z');
const signal = new AbortController().signal;

/** Sets up the test file: flows with schedules, and a clock stopped half a minute past midnight. */
export function useSchedules() {
  const suite = useOpened(openFlows);
  /** Sets the clock of the database to a number of minutes after the start. */
  const setMinute = (minute: number) => setScheduleClock(suite(), new Date(START + minute * 60_000));
  const pass = () => runDueSchedules({ db: suite().worker, broker: suite().broker }, signal);
  beforeEach(async () => {
    await suite().query('truncate flows.flow, flows.schedule, flows.due_time, flows.execution, flows.idempotency_key');
    suite().announced.length = 0;
    await setMinute(0);
  });
  return {
    suite,
    setMinute,
    /** Adds a flow, which is due every minute by default. */
    addFlow: (config: ScheduleConfig = {}) =>
      suite().addFlow({ trigger: 'schedule', schedule_config: { cron: '* * * * *', ...config } }),
    pass,
    /** Runs a pass, requires that nothing fails, and returns the outcomes of its decisions. */
    async look() {
      const { decided, failed } = await pass();
      expect(failed).toEqual([]);
      return decided.map(({ outcome }) => outcome);
    },
    runsOf: async ({ id }: FlowRow) =>
      (await suite().listExecutions(id)).map(({ status, trigger_event_details: { payload } }) => [
        String(payload.due_at).slice(11, 16),
        status,
      ]),
    /** Lists the due times of a flow with their outcomes, oldest first. */
    duesOf: async ({ id, account_id: accountId }: FlowRow) =>
      (await listDueTimes(suite().gateway, { accountId, flowId: id, limit: 200 }))
        .reverse()
        .map(({ due_at: due, outcome, reason }: DueTimeRow) => [due.toISOString().slice(11, 16), outcome, reason]),
    readSchedule: async ({ id }: FlowRow) =>
      (await suite().query<ScheduleRow>('select * from flows.schedule where flow_id = $1', [id]))[0],
    /** Ends the running execution of a flow. */
    end: (flow: FlowRow) =>
      suite().query(
        `update flows.execution set status = 'SUCCEEDED', finished_at = now() where flow_id = $1
         and status in ('PENDING', 'INITIALIZING', 'RUNNING')`,
        [flow.id],
      ),
    change: (flow: FlowRow, fields: Parameters<typeof updateFlow>[1]['fields']) =>
      suite().write((trx) => updateFlow(trx, { accountId: flow.account_id, flowId: flow.id, fields }, suite().boxes)),
    pause: (flow: FlowRow, paused: boolean) =>
      suite().write((trx) => setSchedulePaused(trx, { accountId: flow.account_id, flowId: flow.id }, paused)),
  };
}
