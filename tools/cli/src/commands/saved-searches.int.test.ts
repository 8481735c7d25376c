import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const saved = (id: string, more: object = {}) => ({
  id,
  name: 'daily',
  query: 'timeout',
  mode: 'keyword',
  visibility: 'private',
  is_own: true,
  ...more,
});
const ANSWER = {
  mode: 'keyword',
  effective_mode: 'keyword',
  results: [],
  total: 0,
  total_is_exact: true,
  next_cursor: null,
  indexed_from: null,
  backfill_complete: true,
  degraded: { reasons: [] },
  elapsed_ms: 1,
};

describe('saved searches on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  /** Runs one command against a service with these searches; returns the output and the requests. */
  async function run(args: readonly string[], found: readonly object[], answer: object = {}) {
    service = await startService((request) => {
      const isList = request.method === 'GET';
      const named = new URL(request.path, 'http://x').searchParams.get('name');
      const items = found.filter((each) => named === null || (each as { name: string }).name === named);
      return [200, isList ? { items, next_cursor: null } : answer];
    });
    const out = await runHere(service.url, args);
    const changes = service.requests.filter(({ method }) => method !== 'GET');
    return {
      out,
      asked: changes.map(({ method, path, body }) => [method, path, JSON.parse(body.toString() || 'null') as unknown]),
    };
  }
  const PATH = '/api/v1/runtime-sessions/search/saved';

  it('are run by name, with the requested page, and changes made since saving are reported', async () => {
    const answer = { search: ANSWER, unresolved_filters: ['flow_id'], ranking_changed: true };
    const shared = saved('2', { is_own: false });
    const { out, asked } = await run(['search', '--saved', 'daily', '--limit', '5'], [shared, saved('1')], answer);
    expect(asked).toEqual([['POST', `${PATH}/1/run`, { limit: 5 }]]);
    expect(out).toContain('0 sessions (keyword, 1 ms)');
    expect(out).toContain('the filter flow_id refers to something that was deleted or revoked');
    expect(out).toContain('ranking has changed');
  });

  it('cannot be run with another query or other filters', async () => {
    await expect(run(['search', '--saved', 'daily', 'word'], [saved('1')])).rejects.toThrow('with --saved only');
    await service.close();
    await expect(run(['search', '--saved', 'daily', '--role', 'user'], [saved('1')])).rejects.toThrow(
      'with --saved only',
    );
    await service.close();
    await expect(run(['search'], [])).rejects.toThrow('Give a query');
  });

  it('are distinguished by their ids if several have the same name', async () => {
    const shared = [saved('2', { is_own: false }), saved('3', { is_own: false })];
    await expect(run(['search', '--saved', 'daily'], shared)).rejects.toThrow('these ids: 2, 3');
    await service.close();
    const answer = { search: ANSWER, unresolved_filters: [], ranking_changed: false };
    expect((await run(['search', '--saved', '3'], shared, answer)).asked[0]).toEqual(['POST', `${PATH}/3/run`, {}]);
  });

  it('are stored with their flags, and shared on request', async () => {
    const args = [
      'searches',
      'save',
      'daily',
      'timeout',
      'retry',
      '--role',
      'user',
      '--until',
      '2026-05-01',
      '--share',
    ];
    const { asked, out } = await run(args, []);
    const filters = { role: 'user', end_date: '2026-05-01T00:00:00.000Z' };
    const body = { name: 'daily', query: 'timeout retry', filters, visibility: 'account' };
    expect(asked).toEqual([['POST', PATH, body]]);
    expect(out).toContain('steward search --saved "daily"');
  });

  it('are replaced completely, but only those of the user', async () => {
    const args = ['searches', 'save', 'daily', 'plum', '--replace'];
    const own = await run(args, [saved('1')]);
    const whole = { name: 'daily', query: 'plum', mode: 'keyword', filters: {}, max_snippets_per_session: 3 };
    expect(own.asked).toEqual([['PATCH', `${PATH}/1`, whole]]);
    await service.close();
    expect((await run(args, [saved('2', { is_own: false })])).asked).toMatchObject([['POST', PATH, {}]]);
  });

  it('are listed and deleted', async () => {
    const { out } = await run(['searches', 'list'], [saved('1'), saved('2', { name: 'weekly', is_own: false })]);
    expect(out).toBe('daily  timeout  (keyword, private)\nweekly  timeout  (keyword, of another)\n');
    await service.close();
    expect((await run(['searches', 'delete', 'daily'], [saved('1')])).asked).toEqual([['DELETE', `${PATH}/1`, null]]);
    await service.close();
    await expect(run(['searches', 'delete', 'daily'], [])).rejects.toThrow('no saved search named "daily"');
  });
});
