import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const TOTAL = { sums: { cost_usd: 0.35, count: 3 }, values: { cost_usd: [0, 0.35], count: [0, 3] } };
const SERIES = {
  step: 'day',
  time_zone: 'Europe/Berlin',
  group_by: null,
  times: ['2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  total: TOTAL,
  groups: [],
  truncated: false,
};

describe('series on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], answer: object) {
    service = await startService(() => [200, answer]);
    const out = await runHere(service.url, ['stats', ...args]).catch((error: Error) => `! ${error.message}`);
    return { out, query: new URL(service.requests[0]?.path ?? '/', service.url).searchParams };
  }

  it('are printed with one line per step, and their sums', async () => {
    const { out, query } = await run(['spend', '--since', '2026-11-20', '--time-zone', 'Europe/Berlin'], SERIES);
    expect(out).toBe(
      '2026-11-20  cost_usd 0, count 0\n2026-11-21  cost_usd 0.35, count 3\ntotal  cost_usd 0.35, count 3\n',
    );
    expect([query.get('from'), query.get('time_zone')]).toEqual(['2026-11-20T00:00:00.000Z', 'Europe/Berlin']);
  });

  it('are printed with one line per group', async () => {
    const groups = [
      { key: 'fast', ...TOTAL },
      { key: null, sums: { cost_usd: null, count: 0 }, values: {} },
    ];
    const answer = { ...SERIES, group_by: 'model', groups, truncated: true };
    const { out, query } = await run(['spend', '--group-by', 'model', '--limit', '2'], answer);
    expect(out).toBe(
      'fast  cost_usd 0.35, count 3\n(none)  cost_usd -, count 0\ntotal  cost_usd 0.35, count 3\nthere are more groups: use a higher --limit\n',
    );
    expect([query.get('group_by'), query.get('limit')]).toEqual(['model', '2']);
  });

  it('are printed as complete JSON', async () => {
    const { out } = await run(['spend', '--json'], SERIES);
    expect(JSON.parse(out)).toEqual(SERIES);
  });

  it('must have a known name', async () => {
    const { out } = await run(['weather'], SERIES);
    expect(out).toContain('Allowed choices are sessions, model_calls');
  });
});
