import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const BUDGET = {
  id: 'b-1',
  scope: 'account',
  scope_id: null,
  model_alias: null,
  period: 'daily',
  time_zone: 'UTC',
  limit_amount: 50,
  hard: true,
  enabled: true,
  period_end: '2026-11-24T00:00:00Z',
  spent_amount: 12.5,
  reserved_amount: 0.25,
  percent_used: 25,
};
const OF_KEY = { ...BUDGET, id: 'b-2', scope: 'api_key', scope_id: 'k-1', model_alias: 'fast', hard: false };
const LINE = 'b-1  daily  account  12.5 of 50 USD (25 %, 0.25 reserved)  until 2026-11-24 00:00\n';

describe('budgets on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], answers: Readonly<Record<string, object>>) {
    service = await startService(({ method, path }) => {
      const body = answers[`${method} ${path.replace('/api/v1/budgets', '')}`];
      return body === undefined ? [404, {}] : [200, body];
    });
    const out = await runHere(service.url, ['budgets', ...args]).catch((error: Error) => `! ${error.message}`);
    const sent = service.requests.filter(({ method }) => method !== 'GET');
    return { out, bodies: sent.map(({ body }) => JSON.parse(body.toString()) as unknown) };
  }

  it('are listed with their spent and reserved amounts', async () => {
    const allTime = { ...OF_KEY, period: 'all_time', period_end: null, reserved_amount: 0 };
    const page = { items: [BUDGET, allTime, { ...BUDGET, enabled: false }], next_cursor: 'c' };
    const { out } = await run(['list', '--limit', '3'], { 'GET ?limit=3': page });
    expect(out).toBe(
      `${LINE}b-2  all_time  api_key k-1, fast  12.5 of 50 USD (25 %)  soft\n` +
        `${LINE.replace('  until', '  off  until')}next page: --cursor c\n`,
    );
  });

  it('are created if none has the same scope', async () => {
    const args = ['set', '5.5', '--period', 'daily', '--api-key-id', 'k-1', '--threshold', '50', '80'];
    const page = { items: [BUDGET, OF_KEY], next_cursor: null };
    const { out, bodies } = await run(args, { 'GET ?limit=200': page, 'POST ': BUDGET });
    expect(out).toBe(LINE);
    const subject = { scope: 'api_key', scope_id: 'k-1', model_alias: null, period: 'daily' };
    expect(bodies).toEqual([{ ...subject, limit_amount: 5.5, thresholds_percent: [50, 80] }]);
  });

  it('are created with a time zone, which cannot be changed later', async () => {
    const args = ['set', '9', '--period', 'daily', '--time-zone', 'Asia/Tokyo'];
    const made = { ...BUDGET, time_zone: 'Asia/Tokyo' };
    const empty = { items: [], next_cursor: null };
    const { out, bodies } = await run(args, { 'GET ?limit=200': empty, 'POST ': made });
    expect(out).toContain('b-1  daily in Asia/Tokyo  account');
    expect(bodies).toMatchObject([{ time_zone: 'Asia/Tokyo', limit_amount: 9 }]);
    await service.close();
    const refused = await run(args, { 'GET ?limit=200': { items: [BUDGET], next_cursor: null } });
    expect([refused.out, refused.bodies]).toEqual([expect.stringContaining('time zone UTC: delete it before'), []]);
  });

  it('are updated if one with the same scope exists, even on a later page; other settings are unchanged', async () => {
    const answers = {
      'GET ?limit=200': { items: [OF_KEY], next_cursor: 'c' },
      'GET ?limit=200&cursor=c': { items: [BUDGET], next_cursor: null },
      'PATCH /b-1': BUDGET,
    };
    expect(await run(['set', '80', '--period', 'daily'], answers)).toEqual({
      out: LINE,
      bodies: [{ limit_amount: 80 }],
    });
    await service.close();
    const { bodies } = await run(['set', '80', '--period', 'daily', '--soft', '--unsized-calls', 'refuse'], answers);
    expect(bodies).toEqual([{ limit_amount: 80, hard: false, unsized_calls: 'refuse' }]);
  });

  it.each(['0', '-1', 'many', '1.1234567'])('are refused with a limit of %s', async (amount) => {
    const { out, bodies } = await run(['set', '--period', 'daily', '--', amount], {});
    expect(out).toContain('The limit must be above 0');
    expect(bodies).toEqual([]);
  });
});
