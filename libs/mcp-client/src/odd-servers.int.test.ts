import { sendEvents, sendJson } from '@steward/testing';
import { parseExactJson } from '@steward/text';
import { answer, endTalks, talk } from './testing/talk.ts';

afterEach(endTalks);

const GO = '{"name":"go","inputSchema":{"type":"object"}}';
/** Cases: properties of a tool in addition to its name; its description for clients; the reported omissions. */
const ODD_TOOLS = [
  ['"inputSchema":{"$schema":"x"}', '"inputSchema":{"$schema":"x","type":"object"}', ''],
  ['"title":"T"', '"title":"T","inputSchema":{"type":"object"}', ''],
  ['"inputSchema":null', '"inputSchema":{"type":"object"}', ''],
  ['"inputSchema":true', '"inputSchema":{"type":"object"}', ''],
  ['"inputSchema":{"anyOf":[{"type":"object"}]}', '"inputSchema":{"anyOf":[{"type":"object"}],"type":"object"}', ''],
  [
    '"inputSchema":{"type":"object","properties":{"z":true,"a":false,"m":null}}',
    '"inputSchema":{"type":"object","properties":{"z":{},"a":{"not":{}},"m":{}}}',
    '',
  ],
  [
    '"inputSchema":{"type":["object","null"],"properties":null,"required":["a",null]}',
    '"inputSchema":{"type":"object","required":["a"]}',
    '',
  ],
  ['"description":null,"inputSchema":{"type":"object"}', '"inputSchema":{"type":"object"}', ''],
  [
    '"annotations":null,"icons":null,"_meta":null,"execution":null,"outputSchema":null,"inputSchema":{"type":"object"}',
    '"inputSchema":{"type":"object"}',
    '',
  ],
  ['"description":7,"inputSchema":{"type":"object"}', '"inputSchema":{"type":"object"}', 'description of the tool odd'],
  [
    '"annotations":{"readOnlyHint":"true","title":"T"},"inputSchema":{"type":"object"}',
    '"annotations":{"title":"T"},"inputSchema":{"type":"object"}',
    'readOnlyHint of the tool odd',
  ],
  [
    '"outputSchema":{"type":"array"},"inputSchema":{"type":"object"}',
    '"outputSchema":{"type":"array"},"inputSchema":{"type":"object"}',
    '',
  ],
  [
    '"outputSchema":[],"inputSchema":{"type":"object"}',
    '"inputSchema":{"type":"object"}',
    'outputSchema of the tool odd',
  ],
  [
    '"x-own":{"b":1.0,"a":18446744073709551615},"inputSchema":{"type":"object"}',
    '"x-own":{"b":1.0,"a":18446744073709551615},"inputSchema":{"type":"object"}',
    '',
  ],
  [
    '"inputSchema":{"required":["b"],"properties":{"b":{"minimum":-0.0,"$ref":"#/x"},"a":{}},"type":"object"}',
    '"inputSchema":{"required":["b"],"properties":{"b":{"minimum":-0.0,"$ref":"#/x"},"a":{}},"type":"object"}',
    '',
  ],
  [
    '"inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}',
    '"inputSchema":{"type":"object"}',
    'the tool odd must be called as a task',
  ],
  [
    '"inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}',
    '"inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}',
    '',
  ],
] as const;

describe('a list of tools with an invalid one (MCP-6)', () => {
  it.each(ODD_TOOLS)(
    'converts that tool to a form that clients accept, and retains the other tools: %s',
    async (odd, wanted, fault) => {
      const { list } = await talk({ answer: answer(`{"tools":[{"name":"odd",${odd}},${GO}]}`) });
      const { tools, faults } = await list();
      const told = JSON.stringify(tools[0]);
      expect(JSON.stringify(parseExactJson(told))).toBe(JSON.stringify(parseExactJson(`{"name":"odd",${wanted}}`)));
      expect(tools.map(({ name }) => name)).toEqual(['odd', 'go']);
      expect(faults.join('; ')).toContain(fault);
      expect(faults).toHaveLength(fault === '' ? 0 : 1);
    },
  );

  it.each([
    ['null', 'without a name'],
    ['"go"', 'without a name'],
    ['{"inputSchema":{"type":"object"}}', 'without a name'],
    ['{"name":7,"inputSchema":{"type":"object"}}', 'without a name'],
  ])('omits tools that no client can call, and reports them: %s', async (odd, fault) => {
    const { list } = await talk({ answer: answer(`{"tools":[${odd},${GO}],"nextCursor":null}`) });
    const { tools, faults } = await list();
    expect([tools.map(({ name }) => name), faults]).toEqual([['go'], [expect.stringContaining(fault)]]);
  });

  it('is read page by page, regardless of the other content of a page', async () => {
    const { list } = await talk({
      answer: (request, response) => {
        const isFirst = request.params?.['cursor'] === undefined;
        const page = isFirst ? `{"tools":[${GO}],"nextCursor":"2","ttlMs":"x"}` : '{"tools":[{"name":"later"}]}';
        answer(page)(request, response);
      },
    });
    expect((await list()).tools.map(({ name }) => name)).toEqual(['go', 'later']);
  });
});

const MARKED = 'An item of the result that clients do not accept, as returned by the tool: ';
const marked = (item: string) => ({ type: 'text', text: `${MARKED}${item}` });
/** Cases: content from a server, and the content into which it is converted for an agent. */
const ODD_ITEMS = [
  ['{"type":"json","json":{"id":1917043659912705297}}', marked('{"type":"json","json":{"id":1917043659912705297}}')],
  ['{"type":"text","text":null}', marked('{"type":"text","text":null}')],
  ['null', marked('null')],
  ['7', marked('7')],
  ['"said"', { type: 'text', text: 'said' }],
  ['{"type":"text","text":"x","annotations":{"priority":7}}', { type: 'text', text: 'x' }],
  ['{"type":"text","text":"x","annotations":null,"_meta":null,"own":1}', { type: 'text', text: 'x', own: 1 }],
  [
    '{"type":"image","data":"data:image/png;base64,AAAA","mimeType":"image/png"}',
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ],
  ['{"type":"image","data":"data:image/webp;base64,AAA"}', { type: 'image', data: 'AAA=', mimeType: 'image/webp' }],
  ['{"type":"image","data":"iVBOR\\nw0_","mimeType":null}', { type: 'image', data: 'iVBORw0/', mimeType: 'image/png' }],
  ['{"type":"image","data":"%%"}', marked('{"type":"image","data":"%%"}')],
  ['{"type":"resource","resource":{"uri":"a://b"}}', marked('{"type":"resource","resource":{"uri":"a://b"}}')],
] as const;

describe('a result with an invalid item (TOOL-22)', () => {
  it.each(ODD_ITEMS)('converts that item to a form that clients accept, with its content: %s', async (item, wanted) => {
    const { call } = await talk({ answer: answer(`{"content":[{"type":"text","text":"done 42"},${item}]}`) });
    expect(await call()).toEqual({ content: [{ type: 'text', text: 'done 42' }, wanted] });
  });

  it.each([
    ['null', { content: [marked('null')] }],
    ['"done"', { content: [marked('"done"')] }],
    ['{}', { content: [marked('{}')] }],
    ['{"toolResult":{"a":1}}', { toolResult: { a: 1 }, content: [marked('{"toolResult":{"a":1}}')] }],
    ['{"content":"done"}', { content: [{ type: 'text', text: 'done' }] }],
    ['{"content":null,"structuredContent":{"a":1}}', { content: [], structuredContent: { a: 1 } }],
    ['{"content":[],"structuredContent":[1]}', { content: [], structuredContent: [1] }],
    ['{"content":[],"isError":null,"_meta":7}', { content: [] }],
    ['{"content":[],"isError":"true","resultType":"odd","more":1}', { content: [], isError: true, more: 1 }],
  ])('is still read as a result with other invalid parts: %s', async (result, wanted) => {
    const { call } = await talk({ answer: answer(result) });
    expect(await call()).toEqual(wanted);
  });

  it.each([
    [
      'as events with other line ends',
      (id: number, r: string) => `: hi\r\rid: 1\rdata: {"jsonrpc":"2.0","id":${id},\rdata:"result":${r}}\r\r`,
    ],
    [
      'without a last blank line',
      (id: number, r: string) => `event: message\ndata: {"jsonrpc":"2.0","id":${id},"result":${r}}`,
    ],
    [
      'to its number as a text',
      (id: number, r: string) => `data: {"jsonrpc":"2.0","id":"${id}","result":${r}}\r\n\r\n`,
    ],
  ])('is read %s', async (_what, write) => {
    const { call } = await talk({
      answer: ({ id }, response) => sendEvents(response, write(id, '{"content":[{"type":"text","text":"ran"}]}')),
    });
    expect(await call()).toEqual({ content: [{ type: 'text', text: 'ran' }] });
  });

  it('is read as JSON with any content type; a response with an unknown request id ends the call', async () => {
    const { call } = await talk({
      answer: ({ id, params }, response) => {
        const asked = (params['arguments'] as { n?: number }).n === 1 ? 99 : id;
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.end(`{"jsonrpc":"2.0","id":${asked},"result":{"content":[]}}`);
      },
    });
    expect(await call()).toEqual({ content: [] });
    await expect(call({ n: 1 })).rejects.toThrow(/odd cannot be used.*may have run/);
  });

  it.each(['', 'done', '<html>busy</html>', '{"jsonrpc":"2.0"', '7'])(
    'ends the call if it is not a valid result, because the call may have run: %j',
    async (text) => {
      const { call } = await talk({
        answer: (_message, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      });
      await expect(call()).rejects.toThrow(/odd cannot be used.*may have run/);
    },
  );

  it('is read as an error even if the error flag is a string', async () => {
    const { call } = await talk({
      answer: ({ id }, response) => sendJson(response, `{"jsonrpc":"2.0","id":${id},"error":"no disk"}`),
    });
    expect(await call()).toEqual({ isError: true, content: [{ type: 'text', text: 'no disk' }] });
  });
});

describe('numbers in a call (TOOL-23)', () => {
  it.each(['1917043659912705296', '-9223372036854775808', '1e400', '-0', '1.0', '0.10000000000000000001', '1E+2'])(
    'have the same digits in both directions: %s',
    async (source) => {
      const data = `{"id":${source},"list":[${source}],"__proto__":{"x":${source}}}`;
      for (const isStream of [false, true]) {
        const { server, call } = await talk({
          answer: ({ id }, response) => {
            const text = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${data}}}`;
            if (isStream) sendEvents(response, `data: ${text}\n\n`);
            else sendJson(response, text);
          },
        });
        const result = await call(parseExactJson(data) as Record<string, unknown>);
        expect(JSON.stringify(result.structuredContent)).toBe(data);
        expect(server.requests[0]?.text).toContain(`"arguments":${data}`);
      }
    },
  );
});
