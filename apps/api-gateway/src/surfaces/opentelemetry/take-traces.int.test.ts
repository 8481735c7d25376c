import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startTestGateway } from '../../testing/start-gateway.ts';
import { toRequest, useTraces, type JsonSpan } from '../../testing/trace-tests.ts';

const { gateway, account, stranger, createKey, send, findSession, readTimeline, call } = useTraces();

const START = 1_793_520_000_000_000_000n;
const newTrace = (): string => randomBytes(16).toString('hex');

function makeSpan(attributes: JsonSpan['attributes'], fields: Partial<JsonSpan> = {}): JsonSpan {
  return {
    traceId: newTrace(),
    spanId: randomBytes(8).toString('hex'),
    name: 'a span',
    startTimeUnixNano: String(START),
    endTimeUnixNano: String(START + 1_000_000_000n),
    ...fields,
    attributes,
  };
}

/** Returns the spans of model calls, one per second. */
function makeCalls(count: number, conversation: string, traceId = newTrace()): JsonSpan[] {
  return Array.from({ length: count }, (_, index) =>
    makeSpan(
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': conversation,
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: `question ${index}` }]),
      },
      { traceId, startTimeUnixNano: String(START + BigInt(index) * 1_000_000_000n) },
    ),
  );
}

const readIds = async (conversation: string): Promise<string[]> =>
  (await readTimeline((await findSession(conversation)).id)).map((item: { external_id: string }) => item.external_id);
const toIds = (spans: readonly JsonSpan[]): string[] => spans.map(({ traceId, spanId }) => `${traceId}:${spanId}`);

describe('spans of one session', () => {
  it('can arrive in any order, in many requests, simultaneously, late and repeatedly: each is stored once (OTLP-4)', async () => {
    const conversation = randomUUID();
    const spans = makeCalls(30, conversation);
    // Each request has every third span, so that none has adjacent ones; each span is sent twice.
    const parts = [0, 1, 2, 0, 1, 2].map((from) => spans.filter((_, index) => index % 3 === from).toReversed());
    const answers = await Promise.all(parts.map((part) => send(toRequest(part))));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(parts.map(() => [200, {}]));
    expect(await readIds(conversation)).toEqual(toIds(spans));

    const session = await findSession(conversation);
    expect(session).toMatchObject({ started_at: '2026-11-01T08:00:00.000Z' });
    await call('POST', `/${session.id}/end`);
    const late = makeCalls(31, conversation).slice(30);
    await send(toRequest([...spans, ...late]));
    expect(await readIds(conversation)).toEqual(toIds([...spans, ...late]));
    expect((await findSession(conversation)).end_reason).not.toBeNull();
  });

  it('without a conversation belong to the conversation of their trace, or to a session of the trace if it has none (OTLP-3)', async () => {
    const [traceId, conversation] = [newTrace(), randomUUID()];
    const tool = makeSpan({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' }, { traceId });
    await send(toRequest([tool, ...makeCalls(1, conversation, traceId)]));
    expect(await readIds(conversation)).toContain(`${traceId}:${tool.spanId}`);

    const alone = makeSpan({ 'gen_ai.operation.name': 'chat' });
    await send(toRequest([alone]));
    expect(await readIds(alone.traceId)).toEqual([`${alone.traceId}:${alone.spanId}`]);
  });

  it('without a conversation are stored with earlier spans of their trace, and are not moved later (OTLP-3, OTLP-4)', async () => {
    const [traceId, conversation] = [newTrace(), randomUUID()];
    const makeTool = (): JsonSpan => makeSpan({ 'gen_ai.operation.name': 'execute_tool' }, { traceId });
    const [early, late, other] = [makeTool(), makeTool(), makeTool()];
    const named = makeCalls(1, conversation, traceId);
    await send(toRequest([early]));
    await send(toRequest(named));
    await send(toRequest([late]));
    // The spans are sent again in other combinations, with and without the conversation.
    for (const request of [
      [early, ...named],
      [late, early],
      [other, late],
    ])
      await send(toRequest(request));
    expect((await readIds(conversation)).toSorted()).toEqual(toIds([...named, late, other]).toSorted());
    expect(await readIds(traceId)).toEqual(toIds([early]));
    // Data of another account with the same trace is not used.
    await send(toRequest([late]), {}, stranger().accessToken);
    const { body } = await gateway().call('GET', '/api/v1/runtime-sessions', { token: stranger().accessToken });
    expect(body.items.map((item: { session_source_id: string }) => item.session_source_id)).toContain(traceId);
  });

  it('belong to their account: another account with the same ids has a separate session', async () => {
    const conversation = randomUUID();
    const spans = makeCalls(2, conversation);
    await send(toRequest(spans));
    await send(toRequest(spans.slice(0, 1)), {}, stranger().accessToken);
    expect(await readIds(conversation)).toHaveLength(2);
    const { body } = await gateway().call('GET', '/api/v1/runtime-sessions?limit=200', {
      token: stranger().accessToken,
    });
    expect(body.items.map((item: { session_source_id: string }) => item.session_source_id)).toContain(conversation);
  });

  it('show no credentials to users who may only read (OTLP-8)', async () => {
    const [conversation, secret] = [randomUUID(), `ghp_${randomBytes(18).toString('hex')}`];
    const [span] = makeCalls(1, conversation);
    const messages = JSON.stringify([{ role: 'user', content: `my token is ${secret}` }]);
    await send(
      toRequest([{ ...(span as JsonSpan), attributes: { ...span?.attributes, 'gen_ai.input.messages': messages } }]),
    );
    const { body } = await gateway().call('POST', '/api/v1/auth/api-keys', {
      token: account().accessToken,
      body: { name: 'reader', scopes: ['view_runtime_sessions'] },
    });
    const path = `/api/v1/runtime-sessions/${(await findSession(conversation)).id as string}/timeline`;
    const timeline = JSON.stringify((await gateway().call('GET', path, { token: body.key })).body);
    expect(timeline).toContain('my token is');
    expect(timeline).not.toContain(secret);
  });
});

describe('an accepted request', () => {
  it('ignores spans of other kinds, rejects invalid ones, and stores the rest (OTLP-2, OTLP-6)', async () => {
    const conversation = randomUUID();
    const [good] = makeCalls(1, conversation) as [JsonSpan];
    const other = makeSpan({ 'http.request.method': 'GET' });
    const answer = await send(toRequest([other, { ...good, spanId: '0'.repeat(16) }, good]));
    expect([answer.status, answer.body]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: '1', errorMessage: 'a span id is not 8 bytes long, or it is zero' } },
    ]);
    expect(await readIds(conversation)).toEqual(toIds([good]));
    expect(await findSession(other.traceId)).toBeUndefined();

    const long = {
      ...good,
      spanId: 'a'.repeat(16),
      attributes: { ...good.attributes, extra: 'x '.repeat(1024 * 1024 + 1) },
    };
    expect((await send(toRequest([long]))).body.partialSuccess).toMatchObject({ rejectedSpans: '1' });
  });

  it('reports which spans were unreadable, so that an exporter logs them (OTLP-9)', async () => {
    const conversation = randomUUID();
    const [good] = makeCalls(1, conversation) as [JsonSpan];
    const foreign = makeSpan({ 'braintrust.input_json': '[{"role":"user","content":"Hi"}]' });
    const wordless = makeSpan({
      'gen_ai.operation.name': 'chat',
      'acme.prompt': 'Hi',
      'gen_ai.conversation.id': conversation,
    });
    const answer = await send(toRequest([foreign, wordless, good, makeSpan({ 'http.response.content': 'x' })]));
    expect([answer.status, answer.body.partialSuccess]).toEqual([
      200,
      {
        rejectedSpans: '0',
        errorMessage: '2 spans have texts in attributes that are not read: braintrust.input_json, acme.prompt',
      },
    ]);
    expect(await readIds(conversation)).toEqual(expect.arrayContaining(toIds([good, wordless])));
    expect((await send(toRequest([good]))).body).toEqual({});
  });

  it('stores text that a column cannot contain with replacement characters, including in JSON escapes (OTLP-8)', async () => {
    const conversation = randomUUID();
    const [span] = makeCalls(1, conversation) as [JsonSpan];
    const messages = JSON.stringify([{ role: 'user', content: `a\u0000b ${'long '.repeat(20_000)}` }]);
    const attributes = { ...span.attributes, 'gen_ai.input.messages': messages, 'gen_ai.agent.name': 'a\u0000' };
    expect((await send(toRequest([{ ...span, attributes }]))).status).toBe(200);
    expect(JSON.stringify(await readTimeline((await findSession(conversation)).id))).toContain('a\ufffdb long');
  });

  it.each([
    ['as part of a message', (data: string) => ({ type: 'blob', mime_type: 'image/png', content: data })],
    ['a data URL', (data: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })],
  ])('stores its text in addition to an image of 3 MB: %s (OTLP-8)', async (_where, makeImage) => {
    const conversation = randomUUID();
    const parts = [makeImage(randomBytes(3_000_000).toString('base64')), { type: 'text', content: 'see the pelican' }];
    const [call] = makeCalls(1, conversation);
    const attributes = { ...call?.attributes, 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts }]) };
    expect(await send(toRequest([makeSpan(attributes)]))).toMatchObject({ status: 200, body: {} });
    const text = JSON.stringify(await readTimeline((await findSession(conversation)).id));
    expect(text).toMatch(/image\/png, 3\.0 MB\].*see the pelican/);
  });

  it('can be compressed and have the maximum size', async () => {
    const conversation = randomUUID();
    const request = Buffer.from(JSON.stringify(toRequest(makeCalls(1000, conversation))));
    const answer = await send(gzipSync(request), { 'content-encoding': 'gzip' });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const { body } = await call('GET', `/${(await findSession(conversation)).id as string}/timeline?limit=200`);
    expect(body.items).toHaveLength(200);
  });
});

describe('a refused request (OTLP-6)', () => {
  const protobuf = { 'content-type': 'application/x-protobuf' };
  const refused: readonly (readonly [string, unknown, Record<string, string>, number, number])[] = [
    ['invalid JSON', 'not json', {}, 400, 3],
    ['JSON of another structure', '{"resourceSpans": 7}', {}, 400, 3],
    ['a body that is not protobuf', Buffer.from([0x0a, 0x05, 1]), protobuf, 400, 3],
    ['a body that is not gzip', Buffer.from('plain'), { 'content-encoding': 'gzip' }, 400, 3],
    ['an unknown media type', 'a', { 'content-type': 'text/plain' }, 415, 3],
    ['an unknown encoding', 'a', { 'content-encoding': 'compress' }, 415, 3],
    ['a body that is too large', Buffer.alloc(16 * 1024 * 1024 + 1, ' '), {}, 413, 3],
    ['a large unpacked body', gzipSync(Buffer.alloc(17 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 413, 3],
    ['excessive nesting', `${'['.repeat(300)}${']'.repeat(300)}`, {}, 400, 3],
    ['too many values (LIM-57)', `{"resourceSpans":[${'1,'.repeat(1_000_001)}1]}`, {}, 413, 3],
    ['too many fields (LIM-57)', Buffer.alloc(2_000_004, Buffer.from([0x0a, 0])), protobuf, 413, 3],
  ];
  it.each(refused)('%s is refused in the encoding of the request', async (_, body, headers, status, code) => {
    const answer = await send(body, headers);
    const isBinary = headers['content-type'] === 'application/x-protobuf';
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe(isBinary ? 'application/x-protobuf' : 'application/json');
    if (!isBinary) expect(answer.body).toEqual({ code, message: expect.any(String) as string });
  });

  it('contains the reason: credential, permission or unknown path', async () => {
    const nobody = await gateway().call('POST', '/otlp/v1/traces', { body: toRequest([]) });
    expect([nobody.status, nobody.body.code]).toEqual([401, 16]);
    const { body } = await gateway().call('POST', '/api/v1/auth/api-keys', {
      token: account().accessToken,
      body: { name: 'reader', scopes: ['view_runtime_sessions'] },
    });
    const reader = await send(toRequest([]), {}, body.key);
    expect([reader.status, reader.body.code]).toEqual([403, 7]);
    const elsewhere = await gateway().call('POST', '/otlp/v1/metrics', { token: await createKey(), body: {} });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 5]);
  });

  it('exceeds the limit of its account, and is accepted after another request has ended (LIM-56)', async () => {
    const headers = { authorization: `Bearer ${account().accessToken}`, 'content-type': 'application/json' };
    /** Sends a request that ends when `ended` resolves; repeats it if the request below took its slot. */
    const sendSlowly = async (ended: Promise<void>): Promise<number> => {
      const body = (async function* () {
        yield Buffer.from('{');
        await ended;
        yield Buffer.from('}');
      })();
      const init = { method: 'POST', headers, body, duplex: 'half' } as unknown as RequestInit;
      const { status } = await fetch(`${gateway().url}/otlp/v1/traces`, init);
      return status === 429 ? sendSlowly(ended) : status;
    };
    const open = Array.from({ length: 16 }, () => {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      return { end, status: sendSlowly(ended) };
    });
    let refusal = await send(toRequest([]));
    while (refusal.status === 200) refusal = await send(toRequest([]));
    expect([refusal.status, refusal.body.code]).toEqual([429, 8]);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const { end, status } of open) {
      end();
      expect(await status).toBe(200);
    }
    expect((await send(toRequest([]))).status).toBe(200);
  });
});

it('attributes traces to the agent to which the key is bound (OTLP-5)', async () => {
  const runtime_principal = { type: 'agent', id: randomUUID(), name: 'bound' };
  const { body } = await gateway().call('POST', '/api/v1/auth/api-keys', {
    token: account().accessToken,
    body: { name: 'agent', runtime_principal },
  });
  const conversation = randomUUID();
  const [span] = makeCalls(1, conversation) as [JsonSpan];
  const attributes = { ...span.attributes, 'gen_ai.agent.name': 'another' };
  await send(toRequest([{ ...span, attributes }]), {}, body.key);
  expect(await findSession(conversation)).toMatchObject({
    ...{ runtime_principal_id: runtime_principal.id, principal_verified: true },
  });
});

it('counts requests by their outcome (OTLP-2)', async () => {
  const counting = await startTestGateway({ HEALTH_PORT: '0' });
  const { accessToken: token } = await counting.registerAccount();
  const [good] = makeCalls(1, 'a') as [JsonSpan];
  const body = toRequest([good, makeSpan({ 'http.request.method': 'GET' }), { ...good, traceId: '' }]);
  await counting.call('POST', '/otlp/v1/traces', { token, body });
  const metrics = await (await fetch(`${counting.healthUrl}/metrics`)).text();
  for (const outcome of ['taken', 'ignored', 'rejected'])
    expect(metrics).toMatch(new RegExp(`steward_otlp_spans_total\\{.*outcome="${outcome}".*\\} 1`));
  await counting.close();
});

it('the route for traces is documented with the API, unlike the APIs of model providers', async () => {
  const { body } = await gateway().call('GET', '/docs/api/openapi.json');
  expect(Object.keys(body.paths['/otlp/v1/traces'].post.requestBody.content)).toEqual([
    'application/x-protobuf',
    'application/json',
  ]);
  expect(Object.keys(body.paths).filter((path) => /^\/(openai|anthropic)/.test(path))).toEqual([]);
});
