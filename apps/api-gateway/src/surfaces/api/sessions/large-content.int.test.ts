import { useSessions } from '../../../testing/session-tests.ts';

const { call, gateway, account, open } = useSessions();

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const named = (count: number) => Object.fromEntries(numbers(count).map((index) => [`k${index}`, index]));

describe('content with many values', () => {
  it.each([
    ['250,000 members of one object', { arguments: named(250_000) }, 200_000],
    ['250,000 entries of an array', { arguments: {}, result: numbers(250_000) }, 200_000],
    ['25,000 different names', { arguments: named(25_000) }, 20_000],
  ])(
    'is refused before it is processed, and the error contains the limit and the excess: %s (LIM-14, LIM-15)',
    async (_what, body, limit) => {
      const { id } = await open();
      const refused = await call('POST', `/${id}/tool-calls`, { tool_name: 'x', ...body });
      expect([refused.status, refused.body.detail.code, refused.body.detail.limit]).toEqual([
        413,
        'payload_too_large',
        limit,
      ]);
      const { actual, overage } = refused.body.detail as { actual: number; overage: number };
      expect(overage).toBe(actual - limit);
      expect((await call('GET', `/${id}/timeline`)).body.items).toEqual([]);
    },
  );

  it.each([
    [
      'tool-calls',
      {
        tool_name: 'query',
        arguments: {},
        result: numbers(15_000).map((n) => ({ id: n, name: `row ${n}`, word: 'pomegranate' })),
      },
      'pomegranate',
    ],
    [
      'interactions',
      {
        model_alias: 'm',
        provider_name: 'p',
        request: { messages: [{ role: 'user', content: 'Compare the quince harvests' }] },
        response: { text: 'quince '.repeat(20_000) },
      },
      'quince',
    ],
    [
      'transcript',
      { messages: numbers(1000).map((n) => ({ role: 'user', content: `${'medlar '.repeat(200)} ${n}` })) },
      'medlar',
    ],
  ])(
    'in the format of agents is stored, found by the next search, and used for the session title: %s',
    async (route, body, word) => {
      const { id } = await open();
      expect((await call('POST', `/${id}/${route}`, body)).status).toBe(201);
      const found = await gateway().call('POST', '/api/v1/runtime-sessions/search', {
        token: account().accessToken,
        body: { query: word },
      });
      expect(found.body.results.map((result: { runtime_session_id: string }) => result.runtime_session_id)).toEqual([
        id,
      ]);
      const { items } = (await call('GET', '?limit=1')).body as { items: { title: string }[] };
      const title = { 'tool-calls': /^ci /, interactions: /^Compare the quince/, transcript: /^medlar/ }[route];
      expect(items[0]?.title).toMatch(title ?? /$^/);
    },
  );
});
