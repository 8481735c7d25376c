import { readParts } from './testing/read-parts.ts';

const readAll = (records: readonly unknown[], options = {}) => {
  const { reader, items } = readParts([records.map((record) => JSON.stringify(record)).join('\n')], 'lines', options);
  return {
    format: reader.format,
    unknown: reader.unknown,
    items,
    text: JSON.stringify(items.map(({ entry }) => entry)),
  };
};
const MESSAGES = [{ role: 'user', content: 'where is the toucan' }];
const REQUEST = { model: 'gpt-5', messages: MESSAGES };
const ANSWER = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'gpt-5' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'on the fence' } }],
  usage: { prompt_tokens: 30, completion_tokens: 8 },
};
const asText = (value: unknown): string => JSON.stringify(value);
const asEvents = (value: unknown): string => `data: ${JSON.stringify(value)}\n\ndata: [DONE]\n\n`;
const CHUNK = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'gpt-5' },
  ...{ choices: [{ index: 0, delta: { content: 'on the fence' } }], usage: ANSWER.usage },
};

/** Same call with 30 input and 8 output tokens, as proxies and platforms log it. */
const LOGS: [shape: string, record: object][] = [
  ['halves as objects', { request: REQUEST, response: ANSWER }],
  ['halves as text', { request: asText(REQUEST), response: asText(ANSWER) }],
  ['bodies as objects', { request: { method: 'POST', body: REQUEST }, response: { status: 200, body: ANSWER } }],
  ['bodies as text', { request: { body: asText(REQUEST) }, response: { body: asText(ANSWER) } }],
  ['a body of events', { request: { body: REQUEST }, response: { body: asEvents(CHUNK) } }],
  ['request_body and response_body', { request_body: REQUEST, response_body: asText(ANSWER) }],
  ['messages beside the response', { id: 'x', ...REQUEST, response: ANSWER }],
  ['the request as its messages', { request: MESSAGES, response: ANSWER }],
  ['input as messages', { input: MESSAGES, output: ANSWER }],
  ['prompt and completion', { prompt: 'where is the toucan', completion: ANSWER }],
  ['an answer in words', { request: REQUEST, response: 'on the fence', usage: ANSWER.usage }],
  ['an answer in words, messages beside', { ...REQUEST, completion: 'on the fence', usage: ANSWER.usage }],
  ['an answer as messages', { input: REQUEST, output: [{ content: 'on the fence' }], usage: ANSWER.usage }],
];

describe('a logged call', () => {
  it.each(LOGS)('contains request, response and tokens: %s (IMP-12)', (_shape, record) => {
    const { items, text, unknown } = readAll([record]);
    expect(items.map(({ entry }) => entry)).toMatchObject([{ kind: 'interaction', inputTokens: 30, outputTokens: 8 }]);
    expect([text.includes('toucan'), text.includes('on the fence'), unknown]).toEqual([true, true, {}]);
  });

  it.each<[string, object]>([
    ['completions of before', { custom_id: 'a', url: '/v1/completions', body: { model: 'm', prompt: 'a toucan' } }],
    ['Anthropic', { custom_id: 'a', params: { model: 'claude-x', messages: [{ role: 'user', content: 'a toucan' }] } }],
  ])('is read as in a batch: %s', (_whose, record) => {
    expect(readAll([record])).toMatchObject({ unknown: {}, text: expect.stringContaining('toucan') });
  });

  it('is not mixed up with a user interface chat that has additional fields', () => {
    const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'a toucan' }] }];
    expect(readAll([{ id: 'c', messages, output: 'x' }])).toMatchObject({ format: 'vercel_ui', unknown: {} });
  });

  it('includes the other fields of a request without a response', () => {
    const { text } = readAll([{ input: REQUEST, preferred_output: [{ role: 'assistant', content: 'a quetzal' }] }]);
    expect(text).toContain('quetzal');
  });
});

const delta = (fields: object) => ({ ...CHUNK, choices: [{ index: 0, delta: fields }] });
const event = (type: string, fields: object) => ({ type, ...fields });
const RESPONSE = { id: 'resp_1', object: 'response', model: 'gpt-5', output: [] };

/** Streams of the word `toucan` in parts other than the text of a response. */
const PARTS: [what: string, events: readonly object[]][] = [
  ...['content', 'refusal', 'reasoning_content', 'reasoning'].map((name): [string, object[]] => [
    `chat completions: ${name}`,
    [delta({ [name]: 'the tou' }), delta({ [name]: 'can' })],
  ]),
  ['chat completions: speech', [delta({ audio: { transcript: 'the tou' } }), delta({ audio: { transcript: 'can' } })]],
  [
    'chat completions: the call of before',
    [
      delta({ function_call: { name: 'find', arguments: '{"q":"tou' } }),
      delta({ function_call: { arguments: 'can"}' } }),
    ],
  ],
  [
    'chat completions: a call in free text',
    [
      delta({ tool_calls: [{ index: 0, id: 'c', custom: { name: 'find', input: 'tou' } }] }),
      delta({ tool_calls: [{ index: 0, custom: { input: 'can' } }] }),
    ],
  ],
  ...[
    ['output_text', 'message'],
    ['refusal', 'message'],
    ['output_audio_transcript', 'message'],
    ['reasoning_summary_text', 'reasoning'],
    ['reasoning_text', 'reasoning'],
    ['function_call_arguments', 'function_call'],
    ['custom_tool_call_input', 'custom_tool_call'],
    ['mcp_call_arguments', 'mcp_call'],
    ['code_interpreter_call_code', 'code_interpreter_call'],
  ].map(([name, type]): [string, object[]] => [
    `Responses that was cut off: ${String(name)}`,
    [
      event('response.created', { response: RESPONSE }),
      event('response.output_item.added', { output_index: 0, item: { type } }),
      event(`response.${String(name)}.delta`, { output_index: 0, delta: 'the tou' }),
      event(`response.${String(name)}.delta`, { output_index: 0, delta: 'can' }),
    ],
  ]),
  [
    'Anthropic: what was quoted',
    [
      event('message_start', { message: { id: 'm', usage: {} } }),
      event('content_block_delta', { index: 0, delta: { citation: { cited_text: 'the toucan' } } }),
    ],
  ],
  [
    'Anthropic: a tool of the provider',
    [
      event('message_start', { message: { id: 'm', usage: {} } }),
      event('content_block_start', { index: 0, content_block: { type: 'server_tool_use', id: 's', name: 'web' } }),
      event('content_block_delta', { index: 0, delta: { partial_json: '{"query":"tou' } }),
      event('content_block_delta', { index: 0, delta: { partial_json: 'can"}' } }),
    ],
  ],
];

describe('a streamed response', () => {
  it.each(PARTS)('retains text of every kind: %s (IMP-12)', (_what, events) => {
    const { items, text } = readAll(events);
    expect([items.length, text.includes('toucan')]).toEqual([1, true]);
  });

  it('belongs to the same session regardless of where its file was split', () => {
    const events = [
      event('response.created', { response: RESPONSE }),
      event('response.output_text.delta', { delta: 'x' }),
    ];
    const sessions = [1, 2].map((count) => readAll(events.slice(0, count)).items[0]?.session.sourceId);
    expect(sessions[0]).toBe(sessions[1]);
  });
});

/** The word `toucan` in fields of a message other than its content. */
const BESIDE: [what: string, message: object][] = [
  ['speech', { content: null, audio: { id: 'a', transcript: 'the toucan' } }],
  ['a refusal beside blocks', { content: [{ type: 'text', text: 'no' }], refusal: 'no toucan' }],
  ['a refusal beside text', { content: 'no', refusal: 'no toucan' }],
  ...['reasoning', 'reasoning_content', 'thinking'].map((name): [string, object] => [
    name,
    { content: '', [name]: 'toucan' },
  ]),
];
/** Items of the Responses API, and of sessions of OpenAI's agents. */
const ITEMS: [type: string, item: object][] = [
  ['mcp_call', { id: 'i', name: 'find', arguments: '{}', output: 'the toucan' }],
  ['mcp_call', { id: 'i', name: 'find', arguments: '{}', error: 'no toucan' }],
  ['file_search_call', { id: 'i', queries: ['x'], results: [{ text: 'the toucan' }] }],
  ['code_interpreter_call', { id: 'i', code: 'x', outputs: [{ type: 'logs', logs: 'toucan' }] }],
  ['shell_call', { call_id: 'i', action: { commands: ['ls toucan'] } }],
  ['shell_call_output', { call_id: 'i', output: [{ stdout: 'toucan' }] }],
  ['apply_patch_call', { call_id: 'i', operation: { diff: '+toucan' } }],
  ['apply_patch_call_output', { call_id: 'i', output: 'toucan' }],
  ['computer_call', { call_id: 'i', action: { type: 'type', text: 'toucan' } }],
];

describe('a message', () => {
  it.each(BESIDE)('retains fields other than its content: %s (IMP-12)', (_what, message) => {
    for (const records of [[{ role: 'assistant', ...message }], [{ messages: [{ role: 'assistant', ...message }] }]]) {
      const { text, unknown } = readAll([{ role: 'user', content: 'hello' }, ...records]);
      expect([text.includes('toucan'), unknown]).toEqual([true, {}]);
    }
  });

  it.each(ITEMS)('can be an item of the Responses API: %s (IMP-12)', (type, item) => {
    for (const records of [
      [{ type, ...item }],
      [
        {
          messages: [
            { role: 'user', content: 'hi' },
            { type, ...item },
          ],
        },
      ],
    ]) {
      const { text, unknown } = readAll([{ role: 'user', content: 'hello' }, ...records]);
      expect([text.includes('toucan'), unknown]).toEqual([true, {}]);
    }
  });

  it('in a list is counted by its type if that is unknown', () => {
    expect(readAll([{ messages: [...MESSAGES, { type: 'hologram', id: 'h' }] }]).unknown).toEqual({ hologram: 1 });
  });

  it.each<[string, object]>([
    [
      'of version 4, calls beside parts',
      {
        parts: [{ type: 'text', text: 'x' }],
        toolInvocations: [{ toolCallId: 't', toolName: 'f', args: {}, result: 'toucan' }],
      },
    ],
    [
      'of version 4, without parts',
      { content: 'x', toolInvocations: [{ toolCallId: 't', toolName: 'f', args: {}, result: 'toucan' }] },
    ],
    ['words beside no part', { content: 'toucan', parts: [] }],
    ['thoughts beside parts', { reasoning: 'toucan', parts: [{ type: 'text', text: 'x' }] }],
    [
      'a refusal of a call',
      {
        parts: [
          {
            type: 'tool-f',
            toolCallId: 't',
            state: 'output-denied',
            input: {},
            approval: { approved: false, reason: 'no toucan' },
          },
        ],
      },
    ],
    [
      'input that is no JSON',
      { parts: [{ type: 'tool-f', toolCallId: 't', state: 'output-error', rawInput: 'toucan', errorText: 'x' }] },
    ],
  ])('keeps every kind of text in the format of Vercel: %s (IMP-12)', (_what, message) => {
    const { format, text, unknown } = readAll([{ id: 'c', messages: [{ id: 'm', role: 'assistant', ...message }] }]);
    expect([format, text.includes('toucan'), unknown]).toEqual(['vercel_ui', true, {}]);
  });

  it('in the format of Gemini CLI retains the result of a call without an id', () => {
    const message = {
      id: 'g',
      type: 'gemini',
      content: '',
      toolCalls: [{ name: 'sh', args: {}, result: 'the toucan' }],
    };
    expect(readAll([{ sessionId: 's', projectHash: 'p' }, message]).text).toContain('toucan');
  });

  it.each(['reasoning_content', 'refusal'])('retains additional_kwargs of LangChain: %s', (name) => {
    const message = { type: 'ai', content: 'x', additional_kwargs: { [name]: 'toucan' } };
    expect(readAll([{ id: 'r', run_type: 'llm', inputs: {}, outputs: { messages: [message] } }]).text).toContain(
      'toucan',
    );
  });
});
