import { eventually, sendEvents, sendJson } from '@steward/testing';
import { answer, endTalks, talk } from './testing/talk.ts';

afterEach(endTalks);

const CALL = { name: 'go', arguments: {}, caller: 'somebody', traceparent: '', signal: new AbortController().signal };

describe('a server that requests something from its client (TOOL-29)', () => {
  it.each([
    ['elicitation/create', /questions to people \(elicitation\).*ask_operator/],
    ['sampling/createMessage', /responses from a model \(sampling\)/],
    ['roots/list', /folders of the client \(roots\)/],
  ])('is told why its request for %s is refused, and its call continues', async (method, words) => {
    const { server, call } = await talk({
      answer(request, response) {
        if (request.method !== 'tools/call') return void response.writeHead(202).end();
        const asks = JSON.stringify({ jsonrpc: '2.0', id: 'q', method, params: {} });
        const result = `{"jsonrpc":"2.0","id":${request.id},"result":{"content":[{"type":"text","text":"without it"}]}}`;
        sendEvents(response, `data: ${asks}\n\ndata: ${result}\n\n`);
      },
    });
    expect(await call()).toEqual({ content: [{ type: 'text', text: 'without it' }] });
    const findRefusal = () => server.requests.find(({ text }) => text.includes('"error"'));
    await eventually(() => Promise.resolve(findRefusal() !== undefined));
    const { error } = JSON.parse(findRefusal()?.text ?? '') as { error: { code: number; message: string } };
    expect([error.code, error.message]).toEqual([-32_601, expect.stringMatching(words)]);
  });

  it.each(['tools/call', 'resources/read', 'prompts/get'] as const)(
    'is reported to the agent, without the content of its request, if it responds to %s with a request',
    async (method) => {
      const asked = { method: 'elicitation/create', params: { message: 'Your password?' } };
      const result = { resultType: 'input_required', inputRequests: { a: asked }, requestState: 's' };
      const { client, target } = await talk({ answer: answer(JSON.stringify(result)) });
      const words =
        method === 'tools/call'
          ? JSON.stringify(await client.callTool(target, CALL))
          : await client.request(target, { ...CALL, method, params: {} }).catch((error: Error) => error.message);
      expect(words).toMatch(/odd asks its client for questions to people \(elicitation\)/);
      expect(words).not.toContain('password');
    },
  );
});

describe('server features besides tools', () => {
  const capable = (pages: Readonly<Record<string, string>>) =>
    talk({
      capabilities: { resources: { subscribe: true }, prompts: {} },
      answer: ({ id, method, params }, response) =>
        sendJson(
          response,
          `{"jsonrpc":"2.0","id":${id},"result":${pages[`${method} ${String(params['cursor'] ?? '')}`.trim()] ?? '{}'}}`,
        ),
    });
  const never = new AbortController().signal;

  it('are read separately and page by page, with numbers and order unchanged (TOOL-27)', async () => {
    const { client, target } = await capable({
      'resources/list':
        '{"resources":[{"z":1,"uri":"a://1","name":"one","size":9007199254740993},{"uri":7},null,{"uri":"a://1","name":"again"}],"nextCursor":"2"}',
      'resources/list 2': '{"resources":[{"uri":"a://2","title":null,"annotations":{"priority":7},"mimeType":"x/y"}]}',
    });
    const { offers, faults } = await client.listOffers(target, 'resources', never);
    expect(offers.map((offer) => JSON.stringify(offer))).toEqual([
      '{"z":1,"uri":"a://1","name":"one","size":9007199254740993}',
      '{"uri":"a://2","mimeType":"x/y","name":"a://2"}',
    ]);
    expect(faults).toEqual(['a resource without a uri is omitted']);
  });

  it('are not requested from a server that does not support them, and an endless list is truncated', async () => {
    const { client, target, server } = await talk({ answer: answer('{}') });
    expect(await client.listOffers(target, 'prompts', never)).toEqual({ offers: [], faults: [] });
    expect(server.requests).toEqual([]);
    let page = 0;
    const endless = await talk({
      capabilities: { prompts: {} },
      answer: ({ id }, response) => {
        page += 1;
        const prompts = Array.from({ length: 100 }, (_, index) => ({ name: `p${page}-${index}` }));
        sendJson(response, JSON.stringify({ jsonrpc: '2.0', id, result: { prompts, nextCursor: String(page) } }));
      },
    });
    expect((await endless.client.listOffers(endless.target, 'prompts', never)).offers).toHaveLength(1000);
    expect(page).toBe(10);
  });

  it.each([
    ['{"contents":[{"uri":"a://b","text":"x","n":1e400}]}', '{"contents":[{"uri":"a://b","n":1e400,"text":"x"}]}'],
    ['{"contents":{"uri":"a://b","blob":"AAAA"}}', '{"contents":[{"uri":"a://b","blob":"AAAA"}]}'],
    [
      '{"contents":[{"uri":"a://b","json":{"a":1}}]}',
      '{"contents":[{"uri":"a://b","text":"{\\"uri\\":\\"a://b\\",\\"json\\":{\\"a\\":1}}"}]}',
    ],
    ['null', '{"contents":[]}'],
  ])('are converted to a form that clients accept: %s (TOOL-27)', async (result, expected) => {
    const { client, target } = await talk({ answer: answer(result) });
    const read = await client.request(target, { ...CALL, method: 'resources/read', params: { uri: 'a://b' } });
    expect(JSON.stringify(read)).toBe(expected);
  });
});
