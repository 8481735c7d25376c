import { randomUUID } from 'node:crypto';
import { INTERACTION, SESSIONS_PATH, useSessions } from '../../../testing/session-tests.ts';

const { account, call, gateway, open, stranger } = useSessions();

describe('content', () => {
  it('is found by the next search, whatever its kind, and appears with its body in the timeline (SESS-9, SESS-10)', async () => {
    const { id } = await open();
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const usage = { input_tokens: 5, output_tokens: 7, cost_usd: 0.000123 };
    const answers = [
      await call('POST', `/${id}/interactions`, {
        ...INTERACTION,
        request: { messages: [{ role: 'user', content: `${word}a` }] },
        usage,
        status: 'ok',
      }),
      await call('POST', `/${id}/tool-calls`, {
        tool_name: 'bash',
        arguments: { command: `${word}b` },
        result: 'fine',
      }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201]);
    expect(answers[0]?.body).toMatchObject({
      ...usage,
      runtime_session_id: id,
      kind: 'gateway_interaction',
      model_alias: 'fast',
      provider_name: 'acme',
      status: 'ok',
      content_captured: true,
      occurred_at: expect.stringMatching(/Z$/),
    });
    const imported = await call('POST', `/${id}/transcript`, { messages: [{ role: 'user', content: `${word}c` }] });
    expect([imported.status, imported.body]).toEqual([201, { imported: 1, skipped: 0 }]);
    for (const end of ['a', 'b', 'c']) {
      const found = await call('POST', '/search', { query: word + end });
      expect(found.body.results).toMatchObject([{ runtime_session_id: id }]);
    }
    const timeline = await call('GET', `/${id}/timeline`);
    expect(timeline.body.items).toMatchObject([
      { id: answers[0]?.body.id, content: { request: { messages: [{ content: `${word}a` }] } } },
      { id: answers[1]?.body.id, content: { arguments: { command: `${word}b` }, result: 'fine' } },
      { kind: 'transcript_message', role: 'user', content: `${word}c` },
    ]);
    expect(timeline.body.next_cursor).toBeNull();
  });

  it('is returned with its ids as they are stored, in whatever notation the path contains them; null is accepted for optional fields', async () => {
    const { id } = await open({ title: null, started_at: null });
    const body = { tool_name: 't', arguments: null, result: null, status: null, occurred_at: null };
    const answer = await call('POST', `/${id.toUpperCase()}/tool-calls`, body);
    expect([answer.status, answer.body.runtime_session_id]).toEqual([201, id]);
  });

  it('is imported once, however often it is sent (SESS-12)', async () => {
    const { id } = await open();
    const messages = [1, 2, 3].map((number) => ({
      role: 'user',
      content: `text ${number}`,
      external_id: `m${number}`,
    }));
    expect((await call('POST', `/${id}/transcript`, { messages })).body).toEqual({ imported: 3, skipped: 0 });
    const more = [...messages, { role: 'user', content: 'text 4', external_id: 'm4' }];
    expect((await call('POST', `/${id}/transcript`, { messages: more })).body).toEqual({ imported: 1, skipped: 3 });
  });

  it.each([
    ['interactions', INTERACTION],
    ['tool-calls', { tool_name: 'bash', arguments: { command: 'ls' } }],
  ])(
    'sent again with its external_id is returned as it was stored, and is stored only once: %s (SESS-12)',
    async (kind, body) => {
      const { id } = await open();
      const send = (fields: object) => call('POST', `/${id}/${kind}`, { ...body, external_id: 'e\u0000 1', ...fields });
      const first = await send({ status: 'ok' });
      const again = await send({ status: 'error' });
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.body).toEqual(first.body);
      expect((await call('GET', `/${id}/timeline`)).body.items).toHaveLength(1);
      expect((await send({ external_id: null })).status).toBe(201);
    },
  );

  it('is accepted for an ended session, which remains ended (SESS-11)', async () => {
    const { id } = await open();
    await call('POST', `/${id}/end`, {});
    expect((await call('POST', `/${id}/interactions`, INTERACTION)).status).toBe(201);
    expect((await call('GET', `/${id}`)).body.end_reason).toBe('operator');
  });

  it.each<[string, string, unknown, string]>([
    [
      'an interaction without a request',
      'interactions',
      { model_alias: 'm', provider_name: 'p', response: {} },
      'request',
    ],
    ['negative tokens', 'interactions', { ...INTERACTION, usage: { input_tokens: -1 } }, 'usage.input_tokens'],
    ['an unknown usage field', 'interactions', { ...INTERACTION, usage: { tokens: 1 } }, 'usage.tokens'],
    ['a tool call without a name', 'tool-calls', { arguments: {} }, 'tool_name'],
    [
      'a time without an offset',
      'tool-calls',
      { tool_name: 't', arguments: {}, occurred_at: '2026-01-01T00:00:00' },
      'occurred_at',
    ],
    ['an empty import', 'transcript', { messages: [] }, 'messages'],
    [
      'more than a thousand messages',
      'transcript',
      { messages: Array(1001).fill({ role: 'user', content: 'x' }) },
      'messages',
    ],
    ['a message without a role', 'transcript', { messages: [{ content: 'x' }] }, 'messages.0.role'],
    [
      'a message whose content is a number',
      'transcript',
      { messages: [{ role: 'user', content: 7 }] },
      'messages.0.content',
    ],
  ])('refuses %s with 422 naming the field (API-3, API-6, LIM-20)', async (_case, route, body, field) => {
    const { id } = await open();
    const answer = await call('POST', `/${id}/${route}`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject({ code: 'invalid_request', field });
  });

  it.each(['interactions', 'tool-calls', 'transcript', 'timeline'])(
    'results in a 404 for a session of another account on %s',
    async (route) => {
      const { id } = await open();
      const bodies: Record<string, unknown> = {
        interactions: INTERACTION,
        'tool-calls': { tool_name: 't', arguments: {} },
        transcript: { messages: [{ role: 'user', content: 'x' }] },
      };
      const method = route === 'timeline' ? 'GET' : 'POST';
      expect((await call(method, `/${id}/${route}`, bodies[route], stranger().accessToken)).status).toBe(404);
    },
  );

  it('may contain a text of 2 MiB; a longer text is refused with the name of its field, and so is a body above 4 MiB (LIM-13, LIM-17)', async () => {
    const { id } = await open();
    const importText = (content: string) =>
      call('POST', `/${id}/transcript`, { messages: [{ role: 'user', content }] });
    expect((await importText('x'.repeat(2 * 1024 * 1024))).status).toBe(201);
    const longer = await importText('x'.repeat(2 * 1024 * 1024 + 1));
    expect(longer.status).toBe(422);
    expect(longer.body.detail).toMatchObject({ field: 'messages.0.content', limit: 2 * 1024 * 1024 });
    const tooLarge = await importText('x'.repeat(4 * 1024 * 1024));
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.body.detail).toMatchObject({ code: 'payload_too_large', limit: 4 * 1024 * 1024 });
  });

  it('may contain unusual JSON: a __proto__ member, numbers beyond a double, NUL and lone surrogates at any depth (API-7)', async () => {
    const { id } = await open();
    const raw =
      '{"tool_name":"t\\u0000","arguments":{"__proto__":{"x\\ud800":1e999},"n":123456789012345678901234567890},"result":["\\u0000"]}';
    const headers = { 'content-type': 'application/json' };
    const answer = await gateway().call('POST', `${SESSIONS_PATH}/${id}/tool-calls`, {
      token: account().accessToken,
      body: raw,
      headers,
    });
    expect(answer.status).toBe(201);
    expect(answer.body.tool_name).toBe('t\uFFFD');
    const { items } = (await call('GET', `/${id}/timeline`)).body as { items: { content: { result: unknown } }[] };
    expect(items[0]?.content.result).toEqual(['\uFFFD']);
  });

  it.each([20_000, 60_000])('may have JSON of %d levels in a string, too deep to send as JSON', async (depth) => {
    const { id } = await open();
    // The middle of so long a text is not indexed, but the text after it is.
    const result = [`${'['.repeat(depth)}"deep"${']'.repeat(depth)}`, 'wombat'];
    const answer = await call('POST', `/${id}/tool-calls`, { tool_name: 't', arguments: {}, result });
    expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
    const found = await call('POST', '/search', { query: 'wombat', filters: { session_id: id } });
    expect(found.body.results).toHaveLength(1);
  });
});
