import { setScheduleClock } from '@steward/flows/testing';
import { useFlows } from '../../../../testing/flow-tests.ts';

const { admin, create, gateway, token, viewer } = useFlows();

const call = (method: string, path: string, body?: object, as = token()) =>
  gateway().call(method, `/api/v1${path}`, { token: as, ...(body === undefined ? {} : { body }) });
const schedule = (config: object = {}, more: object = {}) =>
  create({
    trigger: 'schedule',
    schedule_config: { cron: '0 6 * * 1-5', time_zone: 'Europe/Berlin', ...config },
    ...more,
  });
// The date is a Friday; clocks in Berlin change on the following Sunday.
beforeAll(() => setScheduleClock(admin(), new Date('2026-03-27T12:00:00Z')));

describe('a flow with a schedule', () => {
  it('is returned with its next five due times (FLOW-65, FLOW-72)', async () => {
    const { id } = (await schedule()).body;
    expect((await call('GET', `/flows/${id}`)).body).toMatchObject({
      trigger: 'schedule',
      schedule_config: { cron: '0 6 * * 1-5', time_zone: 'Europe/Berlin' },
    });
    const { status, body } = await call('GET', `/flows/${id}/schedule`);
    expect([status, body]).toMatchObject([200, { flow_id: id, state: 'active', paused_at: null, last_due_at: null }]);
    expect(body.next_due_times).toHaveLength(5);
    expect(body.next_due_times[0]).toEqual({
      due_at: '2026-03-30T04:00:00.000Z',
      due_local: '2026-03-30T06:00:00+02:00',
    });
    expect((await call('GET', '/schedules')).body.items[0]).toEqual(body);
  });

  it.each<[what: string, config: object | null, field: string]>([
    ['no schedule', null, 'schedule_config'],
    ['seconds', { cron: '* * * * * *' }, 'schedule_config.cron'],
    ['an interval that is too short', { interval_seconds: 59 }, 'schedule_config.interval_seconds'],
    ['an unknown time zone', { cron: '0 0 * * *', time_zone: 'Mars/Base' }, 'schedule_config.time_zone'],
    ['both cron and an interval', { cron: '0 0 * * *', interval_seconds: 60 }, 'schedule_config'],
    ['an end time in the past', { cron: '0 0 * * *', ends_at: '2026-03-01T00:00:00Z' }, 'schedule_config.ends_at'],
    ['an invalid start time', { cron: '0 0 * * *', starts_at: 'tomorrow' }, 'schedule_config.starts_at'],
    ['an unknown overlap setting', { cron: '0 0 * * *', overlap: 'both' }, 'schedule_config.overlap'],
    ['an unknown field', { cron: '0 0 * * *', jitter: 3 }, 'schedule_config'],
  ])('with %s is refused with the field name (FLOW-65)', async (_what, config, field) => {
    const { status, body } = await create({ trigger: 'schedule', schedule_config: config });
    expect([status, body.detail.code]).toEqual([422, 'invalid_request']);
    expect(JSON.stringify(body.detail)).toContain(field);
    const known = (await schedule()).body;
    expect((await call('PATCH', `/flows/${known.id}`, { schedule_config: config })).status).toBe(422);
  });

  it('keeps a schedule that has ended when another field changes; a new one that has ended is refused', async () => {
    const { id } = (await schedule({ ends_at: '2026-04-10T00:00:00Z' })).body;
    await admin().query(
      `update flows.flow set schedule_config = '{"cron":"0 6 * * *","ends_at":"2026-01-01T00:00:00Z"}' where id = $1`,
      [id],
    );
    const read = (await call('GET', `/flows/${id}`)).body;
    const { trigger, schedule_config } = read;
    expect((await call('PATCH', `/flows/${id}`, { trigger, schedule_config, prompt_template: 'y' })).status).toBe(200);
    const other = { ...schedule_config, cron: '0 7 * * *' };
    expect((await call('PATCH', `/flows/${id}`, { schedule_config: other })).status).toBe(422);
  });

  it('has no schedule after its trigger changes', async () => {
    const { id } = (await schedule()).body;
    await call('PATCH', `/flows/${id}`, { trigger: 'manual' });
    expect((await call('GET', `/flows/${id}/schedule`)).status).toBe(404);
    expect((await call('POST', `/flows/${id}/schedule/pause`)).status).toBe(409);
    expect((await call('POST', `/flows/${id}/schedule/run`)).status).toBe(409);
  });

  it('is paused and resumed; repeating either request has no effect (FLOW-71)', async () => {
    const { id } = (await schedule()).body;
    const paused = await call('POST', `/flows/${id}/schedule/pause`);
    expect(paused.body).toMatchObject({ state: 'paused', paused_at: '2026-03-27T12:00:00.000Z', next_due_times: [] });
    expect((await call('POST', `/flows/${id}/schedule/pause`)).body).toEqual(paused.body);
    expect((await call('POST', `/flows/${id}/schedule/resume`)).body).toMatchObject({
      state: 'active',
      paused_at: null,
    });
    const actions = await admin().query<{ action: string }>(
      `select action from gateway.audit_log where resource_id = $1 and action in ('pause', 'resume') order by id`,
      [id],
    );
    expect(actions.rows.map(({ action }) => action)).toEqual(['pause', 'resume']);
  });

  it('can be run immediately, whether or not it is paused, and the run is marked as not due (FLOW-70, FLOW-71)', async () => {
    const { id } = (await schedule()).body;
    await call('POST', `/flows/${id}/schedule/pause`);
    const { status, body } = await call('POST', `/flows/${id}/schedule/run`);
    expect([status, body]).toMatchObject([202, { status: 'accepted', flow_id: id, deduplicated: false }]);
    const run = (await call('GET', `/flows/executions/${body.execution_id}`)).body;
    expect(run).toMatchObject({
      trigger_type: 'schedule',
      trigger_event_details: { type: 'schedule', source: 'schedule' },
    });
    expect(run.trigger_event_details.payload).toEqual({
      due_at: '2026-03-27T12:00:00.000Z',
      due_local: '2026-03-27T13:00:00+01:00',
      time_zone: 'Europe/Berlin',
      late_by_seconds: 0,
      run_now: true,
    });
    await call('PATCH', `/flows/${id}`, { is_enabled: false });
    expect((await call('POST', `/flows/${id}/schedule/run`)).body.detail.code).toBe('flow_disabled');
    expect((await call('GET', `/flows/${id}/schedule`)).body.state).toBe('disabled');
  });

  it('is visible to users who may view flows, and can be changed by users who may edit and run them', async () => {
    const { id } = (await schedule()).body;
    for (const path of ['/schedules', `/flows/${id}/schedule`, `/flows/${id}/schedule/due-times`])
      expect((await call('GET', path, undefined, viewer())).status).toBe(200);
    for (const way of ['pause', 'resume', 'run'])
      expect((await call('POST', `/flows/${id}/schedule/${way}`, undefined, viewer())).status).toBe(403);
    const stranger = (await gateway().registerAccount()).accessToken;
    for (const path of [`/flows/${id}/schedule`, `/flows/${id}/schedule/due-times`])
      expect((await call('GET', path, undefined, stranger)).status).toBe(404);
    expect((await call('POST', `/flows/${id}/schedule/pause`, undefined, stranger)).status).toBe(404);
  });

  it('lists the outcomes of its due times, newest first (FLOW-72)', async () => {
    const { id, account_id: account } = (
      await admin().query('select id, account_id from flows.flow where id = $1', [(await schedule()).body.id])
    ).rows[0] as { id: string; account_id: string };
    await admin().query(
      `insert into flows.due_time values ($1, '2026-03-26T05:00Z', $2, 'started', null, $1, '2026-03-26T05:00:01Z'),
        ($1, '2026-03-27T05:00Z', $2, 'skipped', 'still_running', null, '2026-03-27T05:00:01Z')`,
      [id, account],
    );
    const { items } = (await call('GET', `/flows/${id}/schedule/due-times`)).body;
    expect(items).toMatchObject([
      { outcome: 'skipped', reason: 'still_running', execution_id: null },
      { outcome: 'started', execution_id: id, decided_at: '2026-03-26T05:00:01.000Z' },
    ]);
    expect((await call('GET', `/flows/${id}/schedule`)).body).toMatchObject({
      last_due_at: '2026-03-27T05:00:00.000Z',
      last_outcome: 'skipped',
    });
  });
});

describe('the preview of a schedule', () => {
  it('validates it and returns its due times (FLOW-72)', async () => {
    const preview = (config: object) => call('POST', '/schedules/preview', { schedule_config: config }, viewer());
    const { body } = await preview({ cron: '30 2 * * *', time_zone: 'Europe/Berlin' });
    expect(body.next_due_times.slice(1, 3)).toEqual([
      { due_at: '2026-03-29T01:00:00.000Z', due_local: '2026-03-29T03:00:00+02:00' },
      { due_at: '2026-03-30T00:30:00.000Z', due_local: '2026-03-30T02:30:00+02:00' },
    ]);
    expect((await preview({ cron: 'x' })).body.detail).toMatchObject({ field: 'schedule_config.cron' });
  });
});
