import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { failLostExecution } from '../../executions/operations/fail-lost-execution.ts';
import { lockFlow } from '../../flows/store/flow.store.ts';
import { readIdempotencyKey } from '../../triggers/rules/idempotency.ts';
import { useSchedules } from '../../testing/use-schedules.ts';

const { suite, setMinute, addFlow, pass, look, runsOf, duesOf, end } = useSchedules();

describe('a due time (FLOW-67)', () => {
  it('starts only one run under simultaneous polls, and the run receives the due time', async () => {
    const flow = await addFlow({ time_zone: 'Europe/Berlin' });
    expect(await look()).toEqual([]);
    await setMinute(1);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => look()));
    expect(outcomes.flat()).toEqual(['started']);
    const [execution, ...others] = await suite().listExecutions(flow.id);
    expect(others).toEqual([]);
    expect(execution).toMatchObject({ status: 'PENDING', trigger_type: 'schedule', flow_name: flow.name });
    expect(execution?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(execution?.trigger_event_details).toEqual({
      source: 'schedule',
      type: 'schedule',
      received_at: '2026-06-01T00:01:30.000Z',
      payload: {
        due_at: '2026-06-01T00:01:00.000Z',
        due_local: '2026-06-01T02:01:00+02:00',
        time_zone: 'Europe/Berlin',
        late_by_seconds: 30,
        run_now: false,
      },
    });
    expect(suite().announced).toEqual([execution?.id]);
    const audits = await suite().query('select * from gateway.audit_log where resource_id = $1', [flow.id]);
    expect(audits).toMatchObject([
      { action: 'trigger', actor_kind: 'system', details: { execution_id: execution?.id } },
    ]);
    expect(await duesOf(flow)).toEqual([['00:01', 'started', null]]);
    expect(await look()).toEqual([]);
  });

  it('is run only once, because of the key of its trigger, even if its row is missing', async () => {
    const flow = await addFlow();
    await setMinute(1);
    await look();
    await suite().query('delete from flows.due_time');
    await suite().query(
      `update flows.schedule set next_due_at = '2026-06-01T00:01Z', next_start_at = '2026-06-01T00:01Z'`,
    );
    await end(flow);
    const { decided, failed } = await pass();
    expect([decided, failed.length]).toEqual([[], 1]);
    expect(await runsOf(flow)).toHaveLength(1);
  });

  it('starts nothing for a flow that an earlier release disabled without disabling its schedule', async () => {
    const flow = await addFlow();
    await suite().query('update flows.flow set is_enabled = false where id = $1', [flow.id]);
    await setMinute(1);
    await look();
    expect(await duesOf(flow)).toEqual([['00:01', 'skipped', 'disabled']]);
    expect(await runsOf(flow)).toEqual([]);
  });

  it('is run even if a client has used the same key for a separate trigger', async () => {
    const flow = await addFlow();
    const key = readIdempotencyKey({ 'idempotency-key': 'schedule 2026-06-01T00:01:00.000Z' }, () => '');
    const chosen = suite().build(flow, {}, { type: 'manual', secretHash: null, key });
    expect(await suite().accept([chosen])).toMatchObject([{ kind: 'accepted' }]);
    await setMinute(1);
    expect(await look()).toEqual(['started']);
  });

  it('does not delay other flows if its own flow is locked, and is not lost', async () => {
    const [held, other] = [await addFlow(), await addFlow()];
    await setMinute(1);
    await suite().write(async (trx) => {
      await lockFlow(trx, held.account_id, held.id);
      expect(await look()).toEqual(['started']);
    });
    expect([await runsOf(held), await runsOf(other)]).toEqual([[], [['00:01', 'PENDING']]]);
    expect(await look()).toEqual(['started']);
  });

  it('does not delay other due times if its schedule is invalid', async () => {
    const [broken, other] = [await addFlow(), await addFlow()];
    await suite().query(`update flows.flow set schedule_config = '{"cron":"x"}' where id = $1`, [broken.id]);
    await setMinute(1);
    const { failed } = await pass();
    expect(failed).toMatchObject([{ flowId: broken.id }]);
    expect(await runsOf(other)).toHaveLength(1);
  });

  it('is validated in the database: invented, earlier and additional due times are refused', async () => {
    const flow = await addFlow();
    await setMinute(1);
    const [due, next] = ['2026-06-01T00:01Z', '2026-06-01T00:02Z'];
    const claim = (...values: unknown[]) =>
      suite().run(async (trx) => {
        const [known, dueAt, start, following] = values;
        const text = sql`select * from flows.start_due(${flow.id}, 1, ${known}, ${dueAt}, ${start}, '', '{}', ${following},
          ${following}, ${newId()}, ${newId()}, '')`;
        return (await text.execute(trx)).rows.length;
      });
    expect(await claim('2026-06-01T00:00Z', due, due, next)).toBe(0);
    await expect(claim(due, next, next, '2026-06-01T00:03Z')).rejects.toMatchObject({ code: '22023' });
    await expect(claim(due, '2026-06-01T00:00Z', due, next)).rejects.toMatchObject({ code: '22023' });
    await expect(claim(due, due, due, '2026-06-01T00:01:30Z')).rejects.toMatchObject({ code: '22023' });
    expect(await claim(due, due, due, next)).toBe(1);
  });
});

describe('a due time while a run of the schedule is active (FLOW-68)', () => {
  it('is skipped', async () => {
    const flow = await addFlow();
    for (const minute of [1, 2, 3]) {
      await setMinute(minute);
      await look();
    }
    await end(flow);
    await setMinute(4);
    await look();
    expect(await duesOf(flow)).toEqual([
      ['00:01', 'started', null],
      ['00:02', 'skipped', 'still_running'],
      ['00:03', 'skipped', 'still_running'],
      ['00:04', 'started', null],
    ]);
    expect(await runsOf(flow)).toHaveLength(2);
  });

  it('ignores a run that was started manually', async () => {
    const flow = await addFlow();
    await suite().accept([suite().build(flow, {}, { type: 'manual', secretHash: null })]);
    await setMinute(1);
    expect(await look()).toEqual(['started']);
  });

  it('waits, one at a time, if the overlap setting is `queue`', async () => {
    const flow = await addFlow({ overlap: 'queue' });
    for (const minute of [1, 2, 3]) {
      await setMinute(minute);
      await look();
    }
    await end(flow);
    await Promise.all([look(), look(), look()]);
    expect(await duesOf(flow)).toEqual([
      ['00:01', 'started', null],
      ['00:02', 'started', 'still_running'],
      ['00:03', 'skipped', 'one_is_queued'],
    ]);
    expect(await runsOf(flow)).toEqual([
      ['00:01', 'SUCCEEDED'],
      ['00:02', 'PENDING'],
    ]);
    await setMinute(4);
    await look();
    await end(flow);
    await look();
    expect((await runsOf(flow)).at(-1)).toEqual(['00:04', 'PENDING']);
  });

  it('replaces that run if the setting is `replace`, whether it is pending or running', async () => {
    const flow = await addFlow({ overlap: 'replace' });
    await setMinute(1);
    await look();
    await setMinute(2);
    await look();
    await suite().run((trx, hints) => failLostExecution(trx, hints, new Date(), suite().options));
    expect(await runsOf(flow)).toEqual([
      ['00:01', 'STOPPED'],
      ['00:02', 'PENDING'],
    ]);
    const [first] = await suite().listExecutions(flow.id);
    expect(first).toMatchObject({ failure_category: 'cancelled', error_message: expect.stringContaining('replaced') });
    await suite().claim();
    await setMinute(3);
    await look();
    const [, second, third] = await suite().listExecutions(flow.id);
    expect(second).toMatchObject({ status: 'INITIALIZING', stop_requested_at: expect.any(Date) });
    expect(third).toMatchObject({ status: 'PENDING' });
  });
});
