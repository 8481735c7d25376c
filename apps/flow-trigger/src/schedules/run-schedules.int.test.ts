import { setScheduleClock } from '@steward/flows/testing';
import { eventually } from '@steward/testing';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

/** A worker without schedules, and a second process that runs only schedules. */
describe('a flow with a schedule, in the roles of its processes (PROC-14)', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker({ SERVICE_ROLE: 'worker', FLOW_RECONCILE_SECONDS: '600' });
  });
  afterAll(() => worker.stop());

  it('runs at its due time, which is passed to the run (FLOW-67, FLOW-70)', async () => {
    const { pool } = worker.database;
    await setScheduleClock(pool, new Date('2026-06-01T05:59:00Z'));
    const flow = await worker.createFlow('cat "$STEWARD_PROMPT_FILE"', {
      trigger: 'schedule',
      schedule_config: { cron: '0 6 * * *', time_zone: 'UTC' },
      prompt_template: 'due {{trigger_event.payload.due_local}} late by {{trigger_event.payload.late_by_seconds}}',
    });
    await setScheduleClock(pool, new Date('2026-06-01T06:00:02Z'));
    // The process has no secret key of flows, no work folder, and nothing else that is needed to run agents.
    const scheduler = await worker.startWorker({
      SERVICE_ROLE: 'scheduler',
      FLOW_SECRET_KEY: '',
      FLOW_RUNNER: 'docker',
    });
    try {
      const execution = await eventually(async () => {
        const { rows } = await pool.query<{ id: string }>(
          `select id from flows.execution where flow_id = $1 and finished_at is not null`,
          [flow.id],
        );
        return rows[0];
      });
      const { rows } = await pool.query(`select status, resolved_input_prompt from flows.execution where id = $1`, [
        execution.id,
      ]);
      expect(rows).toEqual([{ status: 'SUCCEEDED', resolved_input_prompt: 'due 2026-06-01T06:00:00+00:00 late by 2' }]);
    } finally {
      await scheduler.stop();
    }
  });
});

describe('the role of a flow process', () => {
  it('must be a flow role; roles of the gateway are refused', async () => {
    await expect(startTestWorker({ SERVICE_ROLE: 'gateway' })).rejects.toThrow(/SERVICE_ROLE/);
  });
});
