import { deleteFlow } from '../../flows/operations/delete-flow.ts';
import { setScheduleClock } from '../../testing/set-schedule-clock.ts';
import { useSchedules } from '../../testing/use-schedules.ts';

const { suite, setMinute, addFlow, look, runsOf, duesOf, readSchedule, end, change, pause } = useSchedules();

describe('due times that passed while no worker was running (FLOW-69)', () => {
  it('are caught up with one run, for the last of them; the others are recorded as missed', async () => {
    const flow = await addFlow();
    await setMinute(5);
    expect((await Promise.all([look(), look()])).flat()).toEqual(['started']);
    expect(await duesOf(flow)).toEqual([
      ...['00:01', '00:02', '00:03', '00:04'].map((due) => [due, 'missed', 'no_worker']),
      ['00:05', 'started', null],
    ]);
    expect((await readSchedule(flow))?.next_due_at?.toISOString()).toBe('2026-06-01T00:06:00.000Z');
  });

  it('are skipped if the schedule requires this, except the current one', async () => {
    const rare = await addFlow({ cron: '*/10 * * * *', catch_up: false });
    const often = await addFlow({ catch_up: false });
    await setMinute(15);
    await look();
    expect(await duesOf(rare)).toEqual([['00:10', 'missed', 'no_worker']]);
    expect((await duesOf(often)).at(-1)).toEqual(['00:15', 'started', null]);
    expect([await runsOf(rare), (await runsOf(often)).length]).toEqual([[], 1]);
  });

  it('cause no excessive load after a year: only the last hundred are recorded', async () => {
    const flow = await addFlow();
    await setMinute(365 * 24 * 60);
    await look();
    const dues = await duesOf(flow);
    expect([dues.length, dues.at(-1)?.[1], (await runsOf(flow)).length]).toEqual([100, 'started', 1]);
  });
});

describe('a schedule', () => {
  it('that is paused is never due; when it is resumed, it continues with the next due time', async () => {
    const flow = await addFlow({ overlap: 'queue' });
    await setMinute(1);
    await look();
    await setMinute(2);
    await look();
    expect([await pause(flow, true), await pause(flow, true)]).toEqual(['changed', 'unchanged']);
    await end(flow);
    await setMinute(5);
    expect(await look()).toEqual([]);
    expect([await pause(flow, false), await pause(flow, false)]).toEqual(['changed', 'unchanged']);
    expect(await look()).toEqual([]);
    await setMinute(6);
    await look();
    expect(await duesOf(flow)).toEqual([
      ['00:01', 'started', null],
      ['00:02', 'skipped', 'paused'],
      ['00:06', 'started', null],
    ]);
  });

  it('is never due if its flow is disabled, has another trigger or is deleted', async () => {
    const [disabled, other, deleted] = [await addFlow(), await addFlow(), await addFlow()];
    await change(disabled, { is_enabled: false });
    await change(other, { trigger: 'manual' });
    await suite().write((trx) => deleteFlow(trx, { accountId: deleted.account_id, flowId: deleted.id }));
    await setMinute(2);
    expect(await look()).toEqual([]);
    expect([await readSchedule(disabled), await readSchedule(other), await readSchedule(deleted)]).toMatchObject([
      { next_due_at: null },
      ...[undefined, undefined],
    ]);
    await change(disabled, { is_enabled: true });
    await setMinute(3);
    expect(await look()).toEqual(['started']);
  });

  it('can be combined with a webhook', async () => {
    const flow = await suite().addFlow({ trigger: 'webhook', schedule_config: { cron: '* * * * *' } });
    await suite().start(flow);
    await setMinute(1);
    expect(await look()).toEqual(['started']);
    expect((await suite().listExecutions(flow.id)).map(({ trigger_type: type }) => type)).toEqual([
      'webhook',
      'schedule',
    ]);
  });

  it('is restarted only if it is changed', async () => {
    const flow = await addFlow({ cron: '30 * * * *' });
    const before = await readSchedule(flow);
    await change(flow, { prompt_template: 'y', schedule_config: { cron: '30 * * * *' } });
    expect(await readSchedule(flow)).toEqual(before);
    await change(flow, { schedule_config: { cron: '40 * * * *' } });
    expect(await readSchedule(flow)).toMatchObject({ revision: 2, next_due_at: new Date('2026-06-01T00:40:00Z') });
  });

  it('ends at its end time, and applies its jitter to the start of runs', async () => {
    const flow = await addFlow({ ends_at: '2026-06-01T00:02:00Z', jitter_seconds: 20 });
    const { next_due_at: due, next_start_at: start } = (await readSchedule(flow)) ?? {};
    const jitter = (start?.getTime() ?? 0) - (due?.getTime() ?? 0);
    expect(jitter).toBeGreaterThan(0);
    await setScheduleClock(suite(), new Date((start?.getTime() ?? 0) - 1));
    expect(await look()).toEqual([]);
    await setScheduleClock(suite(), start as Date);
    expect(await look()).toEqual(['started']);
    await end(flow);
    await setMinute(3);
    expect(await look()).toEqual(['started']);
    expect((await readSchedule(flow))?.next_due_at).toBeNull();
    expect((await suite().listExecutions(flow.id))[0]?.trigger_event_details.payload).toMatchObject({
      late_by_seconds: 0,
    });
  });

  it('starts nothing while the agents of its account are stopped', async () => {
    const flow = await addFlow();
    const account = await suite().query<{ id: string }>(
      `insert into gateway.account (id, name) values ($1, 'x') returning id`,
      [flow.account_id],
    );
    await suite().query(
      `insert into gateway.kill_switch (account_id, engaged, changed_at, changed_by) values ($1, true, now(), $1)`,
      [account[0]?.id],
    );
    await setMinute(1);
    await look();
    expect(await duesOf(flow)).toEqual([['00:01', 'skipped', 'agents_stopped']]);
    await suite().query('update gateway.kill_switch set engaged = false');
    await setMinute(2);
    expect(await look()).toEqual(['started']);
  });
});
