import { eventually, sendEvents, sendJson, type startRawToolServer } from '@steward/testing';
import { answer, endTalks, ok, talk } from './testing/talk.ts';

afterEach(endTalks);

const GO = '{"name":"go","inputSchema":{"type":"object"}}';

/** Responses with which servers report that they do not recognize a session. */
const FORGOTTEN = [
  [404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'],
  [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}'],
  [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}'],
  [400, 'Invalid session'],
  [401, ''],
  [403, 'no'],
  [410, 'gone'],
  [500, '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Session 7 has expired"}}'],
  [200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Session not found"}}'],
  [200, '{"jsonrpc":"2.0","id":"ID","error":{"code":-32000,"message":"unknown session id"}}'],
] as const;

describe('a server that lost its sessions (TOOL-24)', () => {
  it.each(FORGOTTEN)('gets one new session for calls and one for lists: %i %s', async (status, text) => {
    const { server, call, list } = await talk({
      answer: (request, response) =>
        request.method === 'tools/list' ? answer(`{"tools":[${GO}]}`)(request, response) : ok(request, response),
      answerUnknown: ({ id }, response) => sendJson(response, text.replace('"ID"', String(id)), status),
    });
    await list();
    await call();
    server.forget();
    expect((await call()).isError).toBeUndefined();
    expect((await list()).tools).toHaveLength(1);
    await call();
    expect(server.begun).toBe(4);
    expect(server.requests.filter(({ method }) => method === 'tools/call')).toHaveLength(3);
  });

  it.each([
    [500, 'oops'],
    [502, ''],
    [429, 'later'],
    [200, '{"jsonrpc":"2.0","id":"ID","error":{"code":-32603,"message":"the session of the shop has expired"}}'],
    [
      200,
      '{"jsonrpc":"2.0","id":"ID","result":{"isError":true,"content":[{"type":"text","text":"Session not found"}]}}',
    ],
  ])('is not called again if the call may have run: %i %s', async (status, text) => {
    let isOdd = false;
    const { server, call } = await talk({
      answer: (request, response) =>
        isOdd ? sendJson(response, text.replace('"ID"', String(request.id)), status) : ok(request, response),
    });
    await call();
    isOdd = true;
    await call().catch(() => undefined);
    expect([server.begun, server.requests.length]).toEqual([1, 2]);
  });

  it('is called at most twice per call, and a session that keeps failing is abandoned', async () => {
    let fails: number | undefined;
    const { server, call } = await talk({
      answer: (request, response) => (fails === undefined ? ok(request, response) : sendJson(response, '', fails)),
    });
    await call();
    fails = 400;
    await expect(call()).rejects.toThrow(/response was 400/);
    expect([server.begun, server.requests.length]).toEqual([2, 3]);
    fails = 500;
    await call().catch(() => undefined);
    await call().catch(() => undefined);
    fails = undefined;
    await call();
    expect(server.begun).toBe(3);
  });

  it('does not end other calls of the same caller', async () => {
    let finish: (() => void) | undefined;
    const { server, call } = await talk({
      answer: (request, response) => {
        if (request.text.includes('"slow"')) finish = () => ok(request, response);
        else ok(request, response);
      },
      answerUnknown: (_request, response) => sendJson(response, '', 404),
    });
    await call();
    const slow = call({ slow: true });
    await eventually(() => finish !== undefined);
    server.forget();
    await call();
    finish?.();
    expect(await slow).toEqual({ content: [{ type: 'text', text: 'ran' }] });
  });
});

describe('a server that ends its stream before its response (TOOL-25)', () => {
  it('is asked to resume from its last event, even if a stream contains no event id or is unavailable', async () => {
    const asked: unknown[] = [];
    let id = 0;
    const { call } = await talk({
      answer: (request, response) => {
        id = request.id;
        sendEvents(response, 'id: e0\nretry: 10\ndata: \n\n');
      },
      answerGet: (request, response) => {
        asked.push(request.headers['last-event-id']);
        if (asked.length === 2) response.writeHead(503).end();
        else if (asked.length < 5) sendEvents(response, ': nothing yet\n\n');
        else sendEvents(response, `data: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`);
      },
    });
    expect(await call()).toEqual({ content: [] });
    expect(asked).toEqual(['e0', 'e0', 'e0', 'e0', 'e0']);
  });

  const RESULT = '{"content":[{"type":"text","text":"late"}]}';

  it('is asked to resume from its last event, as often as it ends the stream', async () => {
    const asked: unknown[] = [];
    let id = 0;
    const { call } = await talk({
      answer: (request, response) => {
        id = request.id;
        sendEvents(response, 'id: e0\nretry: 10\ndata: \n\n');
      },
      answerGet: (request, response) => {
        asked.push(request.headers['last-event-id']);
        const isLast = asked.length === 3;
        sendEvents(
          response,
          isLast ? `data: {"jsonrpc":"2.0","id":${id},"result":${RESULT}}\n\n` : `id: e${asked.length}\ndata:\n\n`,
        );
      },
    });
    expect(await call()).toEqual(JSON.parse(RESULT));
    expect(asked).toEqual(['e0', 'e1', 'e2']);
  });

  it('is not asked to resume if no caller is waiting, or if it does not support it', async () => {
    let polls = 0;
    const options = {
      answer: (_request, response) => sendEvents(response, 'id: e0\nretry: 10\ndata: \n\n'),
      answerGet: (_request, response) => {
        polls += 1;
        sendEvents(response, ': nothing yet\n\n');
      },
    } satisfies Parameters<typeof startRawToolServer>[0];
    const { call } = await talk(options);
    const leave = new AbortController();
    const left = call({}, leave.signal).catch(() => 'left');
    await eventually(() => polls > 0);
    leave.abort();
    expect(await left).toBe('left');
    const { call: other } = await talk({ answer: options.answer });
    await expect(other()).rejects.toThrow(/connection ended before the response.*may have run/);
  });
});

describe('a server whose tools change (MCP-7)', () => {
  it('reports the change during a call, and it is handled once', async () => {
    let told = 0;
    const notice = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
    const { call } = await talk(
      {
        answer: ({ id }, response) =>
          sendEvents(response, `${notice.repeat(20)}data: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`),
      },
      { onToolsChanged: () => (told += 1) },
    );
    await call();
    await eventually(() => told > 0);
    expect(told).toBe(1);
  });
});
