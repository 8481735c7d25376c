import fc from 'fast-check';
import { readParts } from './testing/read-parts.ts';

const readAll = (records: readonly unknown[], options = {}) => {
  const { reader, items } = readParts([records.map((record) => JSON.stringify(record)).join('\n')], 'lines', options);
  return { ...reader, format: reader.format, unknown: reader.unknown, items, entries: items.map(({ entry }) => entry) };
};
const textsOf = (value: unknown): string => JSON.stringify(value);

const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1_785_578_400, status: 'completed', model: 'gpt-5' },
  output: [
    { type: 'reasoning', summary: [] },
    { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{"bird":"toucan"}' },
    { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: 'the toucan is here' }] },
  ],
  usage: { input_tokens: 30, output_tokens: 8 },
};
const REQUEST = { model: 'gpt-5', instructions: 'be kind', input: [{ role: 'user', content: 'where is the toucan' }] };
const DELTAS = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [], usage: null } },
  { type: 'response.output_item.added', output_index: 2, item: { type: 'message' } },
  { type: 'response.output_text.delta', output_index: 2, delta: 'the toucan ' },
  { type: 'response.output_text.delta', output_index: 2, delta: 'is here' },
];
const STREAM = [...DELTAS, { type: 'response.completed', response: RESPONSE }];
const toEventLines = (events: readonly object[]) =>
  events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join('') + 'data: [DONE]\n\n';

const CHUNKS = [
  { delta: { role: 'assistant', content: '' } },
  { delta: { content: 'the toucan ' } },
  { delta: { content: 'is here' } },
  { delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'find', arguments: '{"bird":' } }] } },
  { delta: { tool_calls: [{ index: 0, function: { arguments: '"toucan"}' } }] }, finish_reason: 'tool_calls' },
].map((choice) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_785_578_400, model: 'gpt-5' },
  choices: [{ index: 0, ...choice }],
}));
const CHAT_STREAM = [...CHUNKS, { ...CHUNKS[0], choices: [], usage: { prompt_tokens: 30, completion_tokens: 8 } }];

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' };
const ANTHROPIC_STREAM = [
  { type: 'message_start', message: { ...MESSAGE, content: [], usage: { input_tokens: 30, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'the toucan ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'is here' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c1', name: 'find', input: {} } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"bird":"toucan"}' } },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 8 } },
  { type: 'message_stop' },
];

/** Same response with 30 input and 8 output tokens, in each shape in which it is logged. */
const ANSWERS: [shape: string, records: readonly unknown[]][] = [
  ['Responses: logged', [{ session_id: 's', request: REQUEST, response: RESPONSE }]],
  ['Responses: alone', [RESPONSE]],
  ['Responses: of a batch', [{ id: 'b', custom_id: 'j', response: { status_code: 200, body: RESPONSE }, error: null }]],
  ['Responses: its events, a line each', STREAM],
  ['Responses: its events in the log', [{ request: { ...REQUEST, stream: true }, response: STREAM }]],
  ['Responses: its event stream in the log', [{ request: REQUEST, response: toEventLines(STREAM) }]],
  ['chat completions: chunks, a line each', CHAT_STREAM],
  ['chat completions: chunks in the log', [{ request: { messages: [] }, response: CHAT_STREAM }]],
  ['chat completions: event stream in the log', [{ request: { messages: [] }, response: toEventLines(CHAT_STREAM) }]],
  ['Anthropic: events, a line each', ANTHROPIC_STREAM],
  [
    'Anthropic: event stream in the log',
    [{ request: { model: 'claude-x', messages: [] }, response: toEventLines(ANTHROPIC_STREAM) }],
  ],
  [
    'Anthropic: result of a batch',
    [
      {
        custom_id: 'j',
        result: {
          type: 'succeeded',
          message: {
            ...MESSAGE,
            content: [{ type: 'text', text: 'the toucan is here' }],
            usage: { input_tokens: 30, output_tokens: 8 },
          },
        },
      },
    ],
  ],
];

describe('a model response', () => {
  it.each(ANSWERS)('is read as one call with its text and tokens: %s', (_shape, records) => {
    const { entries, unknown, format } = readAll(records);
    expect(entries).toMatchObject([{ kind: 'interaction', inputTokens: 30, outputTokens: 8, status: 'ok' }]);
    expect(textsOf(entries)).toContain('the toucan is here');
    expect(unknown).toEqual({});
    expect(format).toBe(_shape.startsWith('Anthropic') ? 'anthropic_messages' : 'openai_chat');
  });

  it('contains the received part if it was interrupted', () => {
    for (const [events, text] of [
      [DELTAS, 'the toucan is here'],
      [CHAT_STREAM.slice(0, 3), 'the toucan is here'],
      [ANTHROPIC_STREAM.slice(0, 4), 'the toucan '],
    ] as const) {
      const { entries } = readAll(events);
      expect(entries).toHaveLength(1);
      expect(textsOf(entries)).toContain(text);
    }
  });

  it('is read separately for each of several, in the order of the stream', () => {
    const next = STREAM.map((event) => JSON.parse(JSON.stringify(event).replaceAll('resp_1', 'resp_2')) as object);
    expect(readAll([...STREAM, ...next]).entries.map(({ externalId }) => externalId)).toEqual(['resp_1', 'resp_2']);
    const chat = CHAT_STREAM.map((event) => ({ ...event, id: 'chatcmpl-2' }));
    expect(readAll([...CHAT_STREAM, ...chat]).entries.map(({ externalId }) => externalId)).toEqual([
      'chatcmpl-1',
      'chatcmpl-2',
    ]);
  });

  it('belongs to the session of the response that it continues', () => {
    const next = { ...RESPONSE, id: 'resp_2', previous_response_id: 'resp_1' };
    const { items } = readAll([
      { ...RESPONSE, conversation: { id: 'conv_1' } },
      next,
      { ...next, id: 'resp_3', previous_response_id: 'resp_2' },
    ]);
    expect(items.map(({ session }) => session.sourceId)).toEqual(['conv_1', 'conv_1', 'conv_1']);
  });

  it.each<[string, object]>([
    [
      'OpenAI’s batch',
      { id: 'b', custom_id: 'j', response: { status_code: 429, body: { error: { message: 'slow down' } } } },
    ],
    ['OpenAI’s batch, without an answer', { id: 'b', custom_id: 'j', response: null, error: { message: 'slow down' } }],
    [
      'Anthropic’s batch',
      { custom_id: 'j', result: { type: 'errored', error: { type: 'error', error: { message: 'slow down' } } } },
    ],
  ])('with an error is a failed call: %s', (_which, record) => {
    const { entries } = readAll([record]);
    expect(entries).toMatchObject([{ kind: 'interaction', status: 'error' }]);
    expect(textsOf(entries)).toContain('slow down');
  });
});

describe('messages without a session id', () => {
  const messages = [
    { role: 'user', content: 'where is the toucan' },
    { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{"bird":"toucan"}' },
    { type: 'function_call_output', call_id: 'c1', output: 'here' },
    { role: 'assistant', content: 'the toucan is here' },
  ];

  it('get a session derived from their content, the same each time', () => {
    const { items, entries } = readAll(messages);
    const ids = new Set(items.map(({ session }) => session.sourceId));
    expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(entries.map(({ kind }) => kind)).toEqual(['message', 'tool_call', 'message']);
    expect(readAll(messages).items).toEqual(items);
    expect(readAll(messages, { sourceId: 'mine' }).items[0]?.session.sourceId).toBe('mine');
  });

  it('get different sessions if they differ in any part', () => {
    const nameOf = (texts: readonly string[]) =>
      readAll(texts.map((content) => ({ role: 'user', content }))).items[0]?.session.sourceId;
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), fc.string({ minLength: 1 }), (texts, more) => {
        expect(nameOf([...texts, `x${more}`])).not.toBe(nameOf([...texts, 'y']));
      }),
    );
  });

  it('are all stored in one session, even in very large numbers', () => {
    const many = Array.from({ length: 6000 }, (_, index) => ({ role: 'user', content: `line ${index}` }));
    const { items } = readAll(many);
    expect([items.length, new Set(items.map(({ session }) => session.sourceId)).size]).toEqual([6000, 1]);
  });
});
