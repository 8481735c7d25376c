import { newId } from '@steward/crypto';
import { usePeople } from '../../../testing/people-tests.ts';

const people = usePeople();
const { call } = people;

async function book(accountId: string, costUsd: string, alias: string) {
  await people.query(
    `insert into models.usage (account_id, id, occurred_at, model_alias, endpoint, status, cost_usd, price_source, duration_ms, stream)
     values ($1, $2, '2026-11-20T10:00:00Z', $4, 'responses', 'ok', $3, 'catalogue', 20, true)`,
    [accountId, newId(), costUsd, alias],
  );
}
const RANGE = 'from=2026-11-20T09:30:00Z&to=2026-11-20T11:00:00Z';

describe('a series (STATS-1)', () => {
  it('has the start of each step, and sums and values per group and in total, only for the caller’s account', async () => {
    const { accessToken: token, accountId } = await people.register();
    await book(accountId, '0.1', 'fast');
    await book(accountId, '0.2', 'fast');
    await book(accountId, '0.05', 'slow');
    await book(newId(), '9', 'fast');
    const { body } = await call('GET', `/stats/spend?${RANGE}&group_by=model&limit=1`, token);
    expect(body).toEqual({
      name: 'spend',
      from: '2026-11-20T09:00:00.000Z',
      to: '2026-11-20T11:00:00.000Z',
      step: 'hour',
      time_zone: 'UTC',
      group_by: 'model',
      times: ['2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'],
      total: { sums: { cost_usd: 0.35, count: 3 }, values: { cost_usd: [0, 0.35], count: [0, 3] } },
      groups: [{ key: 'fast', sums: { cost_usd: 0.3, count: 2 }, values: { cost_usd: [0, 0.3], count: [0, 2] } }],
      truncated: true,
    });
  });

  it('covers the last 24 hours by hour, and longer ranges by day of a time zone', async () => {
    const { accessToken: token } = await people.register();
    const { body } = await call('GET', '/stats/sessions', token);
    expect([body.step, body.group_by, body.groups]).toEqual(['hour', null, []]);
    expect(body.times.length).toBeGreaterThanOrEqual(24);
    const range = 'from=2026-10-20T22:00:00Z&to=2026-10-30T00:00:00Z&time_zone=Europe/Berlin';
    const days = (await call('GET', `/stats/sessions?${range}`, token)).body;
    // Summer time ends on the 25th.
    expect([days.step, ...days.times.slice(3, 6)]).toEqual([
      'day',
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  it.each([
    ['spend?from=2026-11-20T00:00:00Z&to=2026-11-20T00:00:00Z', 'from'],
    ['spend?from=1999-12-31T00:00:00Z', 'from'],
    ['spend?step=hour&from=2026-01-01T00:00:00Z&to=2026-03-05T00:00:00Z', 'step'],
    ['spend?from=2025-01-01T00:00:00Z&to=2026-03-05T00:00:00Z', 'step'],
    ['spend?step=minute&from=2026-11-01T00:00:00Z&to=2026-11-01T01:00:00Z', 'from'],
    ['spend?time_zone=Mars/Olympus', 'time_zone'],
    ['spend?time_zone=%2B02:00', 'time_zone'],
    ['spend?key=fast', 'key'],
    ['spend?group_by=endpoint', undefined],
    ['search_corpus?step=minute', undefined],
    ['spend?limit=51', undefined],
    ['spend?nope=1', undefined],
  ])('refuses %s', async (query, field) => {
    const { accessToken: token } = await people.register();
    const { status, body } = await call('GET', `/stats/${query}`, token);
    expect(status).toBe(422);
    if (field !== undefined) expect(body.detail.field).toBe(field);
  });

  it('returns 404 for an unknown name', async () => {
    const { accessToken: token } = await people.register();
    expect((await call('GET', '/stats/weather', token)).status).toBe(404);
  });

  it('requires the permission to read the counted objects (STATS-2)', async () => {
    const owner = await people.register();
    const ask = async (token: string) => {
      const names = ['sessions', 'spend', 'model_calls', 'tool_calls', 'deliveries', 'delivery_latency'];
      const more = ['approvals', 'approval_decisions', 'executions', 'search_corpus'];
      const statuses = await Promise.all(
        [...names, ...more].map(async (name) => [name, (await call('GET', `/stats/${name}`, token)).status]),
      );
      return statuses.filter(([, status]) => status === 200).map(([name]) => name);
    };
    expect(await ask((await people.add(owner.accessToken, 'viewer')).token)).toHaveLength(10);
    expect(await ask((await people.add(owner.accessToken, 'executor')).token)).not.toContain('spend');
    expect(await ask((await people.add(owner.accessToken, 'tracker_manager')).token)).toEqual(['executions']);
  });
});
