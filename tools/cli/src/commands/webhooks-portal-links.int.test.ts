import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const URL_OF_LINK = 'https://steward.example.com/portal/l-1#stw_ptl_0123456789abcdefghij';
const LINK = {
  ...{ id: 'l-1', group: 'customer-1', event_types: ['session.ended', 'policy.denied'] },
  ...{ frame_origins: ['https://app.example.com'], expires_at: '2026-11-20T10:00:00.000Z' },
};

describe('portal links on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], status: number, answer?: object) {
    service = await startService(() => [status, answer]);
    const out = await runHere(service.url, ['webhooks', 'portal-links', ...args]);
    const [request] = service.requests;
    const body = request?.body.toString() ?? '';
    return { out, asked: `${request?.method} ${request?.path.replace('/api/v1/event-webhooks', '')} ${body}`.trim() };
  }

  const CREATE = ['create', '--group', 'customer-1', '--events', 'session.ended, policy.denied'];
  const MADE = { ...LINK, url: URL_OF_LINK, token: 'stw_ptl_0123456789abcdefghij' };

  it('are created, with their URL on a line of its own and the time at which they end', async () => {
    const { out, asked } = await run([...CREATE, '--frame-origin', 'https://app.example.com'], 201, MADE);
    expect(asked).toBe(
      'POST /portal-links {"group":"customer-1","event_types":["session.ended","policy.denied"],"frame_origins":["https://app.example.com"]}',
    );
    expect(out).toBe(`link l-1 expires at 2026-11-20 10:00 UTC; this URL is shown only once\n${URL_OF_LINK}\n`);
  });

  it('are printed as JSON on request', async () => {
    const { out } = await run([...CREATE, '--json'], 201, MADE);
    expect(JSON.parse(out.split('\n')[1] ?? '')).toEqual(MADE);
  });

  it('are listed by group with the time at which they end, and ended', async () => {
    const listed = await run(['list', '--limit', '5'], 200, {
      items: [LINK, { ...LINK, id: 'l-2', frame_origins: [] }],
      next_cursor: null,
    });
    expect(listed.asked).toBe('GET /portal-links?limit=5');
    expect(listed.out).toBe(
      'l-1  customer-1  ends 2026-11-20 10:00 UTC  session.ended, policy.denied  embedded in https://app.example.com\n' +
        'l-2  customer-1  ends 2026-11-20 10:00 UTC  session.ended, policy.denied  not embedded\n',
    );
    await service.close();
    const ended = await run(['end', 'l-1'], 204);
    expect([ended.asked, ended.out]).toEqual(['DELETE /portal-links/l-1', 'ended\n']);
  });
});
