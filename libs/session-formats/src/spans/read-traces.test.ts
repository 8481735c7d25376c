import type { OtlpSpan } from '@steward/otlp';
import { readTraces } from './read-traces.ts';
import { makeSpan, TRACE } from './testing/make-span.ts';

const read = (...given: OtlpSpan[]) => [...readTraces(given)];
const readEntry = (attributes: OtlpSpan['attributes'], fields?: Partial<OtlpSpan>) =>
  read(makeSpan(attributes, fields))[0]?.entry;

const ASKED = [
  { role: 'system', content: 'Be brief' },
  { role: 'user', content: 'Weather in Brno?' },
];
const WEATHER = { id: 'c1', name: 'weather', arguments: '{"city":"Brno"}' };

/** The same call, as written in each supported convention. */
const CALLS: readonly (readonly [string, OtlpSpan['attributes'], OtlpSpan['events']])[] = [
  [
    'the current semantic conventions',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Weather in Brno?"}]}]',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"Rain"}],"finish_reason":"stop"}]',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
    },
    [],
  ],
  [
    'the same in an event',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
    },
    [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief' }],
          'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Weather in Brno?' }] }],
          'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'Rain' }] }],
        },
      },
    ],
  ],
  [
    'an event for each message',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
    },
    [
      { name: 'gen_ai.system.message', attributes: { 'gen_ai.system': 'openai', content: 'Be brief' } },
      { name: 'gen_ai.user.message', attributes: { 'gen_ai.event.content': '{"content":"Weather in Brno?"}' } },
      { name: 'gen_ai.choice', attributes: { index: 0, message: '{"role":"assistant","content":"Rain"}' } },
    ],
  ],
  [
    'the events with a prompt and a completion',
    {
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.usage.prompt_tokens': 12,
      'gen_ai.usage.completion_tokens': 3,
    },
    [
      { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': JSON.stringify(ASKED) } },
      {
        name: 'gen_ai.content.completion',
        attributes: { 'gen_ai.completion': '[{"role":"assistant","content":"Rain"}]' },
      },
    ],
  ],
  [
    'OpenLLMetry',
    {
      'llm.request.type': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'Be brief',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': 'Weather in Brno?',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'Rain',
      'gen_ai.usage.prompt_tokens': 12,
      'gen_ai.usage.completion_tokens': 3,
    },
    [],
  ],
  [
    'OpenInference',
    {
      'openinference.span.kind': 'LLM',
      'llm.provider': 'openai',
      'llm.model_name': 'gpt-5',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.content': 'Weather in Brno?',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Rain',
      'input.value': '{"not":"this"}',
      'llm.token_count.prompt': 12,
      'llm.token_count.completion': 3,
    },
    [],
  ],
  [
    'the SDK of Vercel',
    {
      'ai.operationId': 'ai.generateText.doGenerate',
      'operation.name': 'ai.generateText.doGenerate',
      'ai.model.id': 'gpt-5',
      'ai.model.provider': 'openai',
      'ai.prompt.messages': JSON.stringify(ASKED),
      'ai.response.text': 'Rain',
      'ai.usage.promptTokens': 12,
      'ai.usage.completionTokens': 3,
    },
    [],
  ],
];

describe('a model call (OTLP-2)', () => {
  it.each(CALLS)('is read identically from %s', (_, attributes, events) => {
    expect(readEntry(attributes, { events })).toMatchObject({
      kind: 'interaction',
      model: 'gpt-5',
      provider: 'openai',
      status: 'ok',
      request: { messages: ASKED },
      response: { messages: [{ role: 'assistant', content: 'Rain' }] },
      inputTokens: 12,
      outputTokens: 3,
    });
  });

  it('retains its requested tool calls', () => {
    const openInference = {
      'openinference.span.kind': 'LLM',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': WEATHER.arguments,
    };
    expect(readEntry(openInference)).toMatchObject({
      response: {
        messages: [{ tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: WEATHER.arguments } }] }],
      },
    });
    const vercel = { 'ai.operationId': 'ai.streamText.doStream', 'ai.response.toolCalls': JSON.stringify([WEATHER]) };
    expect(readEntry(vercel)).toMatchObject({ response: { messages: [{ role: 'assistant', tool_calls: [WEATHER] }] } });
    const parts = [{ type: 'tool_call', ...WEATHER }];
    const current = { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': [{ role: 'assistant', parts }] };
    expect(readEntry(current)).toMatchObject({ response: { messages: [{ role: 'assistant', content: parts }] } });
  });

  it('contains the error if it failed', () => {
    const events = [{ name: 'exception', attributes: { 'exception.message': 'overloaded' } }];
    expect(readEntry({ 'gen_ai.operation.name': 'chat' }, { isError: true, events })).toMatchObject({
      ...{ status: 'error', request: null, response: { error: 'overloaded' }, model: 'unknown' },
    });
  });

  it('retains its metadata if it has no text', () => {
    const attributes = {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.request.model': 'e5',
      'gen_ai.usage.input_tokens': 4,
    };
    expect(readEntry(attributes)).toMatchObject({ model: 'e5', inputTokens: 4, request: null, response: null });
  });
});

it.each([
  [
    'the semantic conventions',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weather',
      'gen_ai.tool.call.arguments': '{"city":"Brno"}',
      'gen_ai.tool.call.result': '{"sky":"rain"}',
    },
  ],
  [
    'OpenInference',
    {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'weather',
      'tool.parameters': '{"type":"object"}',
      'input.value': '{"city":"Brno"}',
      'output.value': '{"sky":"rain"}',
    },
  ],
  [
    'OpenLLMetry',
    {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'weather',
      'traceloop.entity.input': '{"city":"Brno"}',
      'traceloop.entity.output': '{"sky":"rain"}',
    },
  ],
  [
    'the SDK of Vercel',
    {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'weather',
      'ai.toolCall.args': '{"city":"Brno"}',
      'ai.toolCall.result': '{"sky":"rain"}',
    },
  ],
])('reads a tool call as written by %s (OTLP-2)', (_, attributes) => {
  expect(readEntry(attributes)).toMatchObject({
    ...{ kind: 'tool_call', toolName: 'weather', status: 'ok' },
    ...{ arguments: { city: 'Brno' }, result: { sky: 'rain' } },
  });
  expect(readEntry(attributes, { isError: true, statusMessage: 'no such city' })).toMatchObject({
    ...{ status: 'error', result: { error: 'no such city', result: { sky: 'rain' } } },
  });
});

it('retains the last question and answer of an agent, but not the steps in between (OTLP-2)', () => {
  const items = read(
    makeSpan({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'planner',
      'gen_ai.input.messages': JSON.stringify([
        ...ASKED,
        { role: 'assistant', content: 'Where?' },
        { role: 'user', content: 'Brno' },
      ]),
      'gen_ai.output.messages': JSON.stringify([
        {
          role: 'assistant',
          parts: [
            { type: 'text', content: 'Rain' },
            { type: 'tool_call', ...WEATHER },
          ],
        },
      ]),
    }),
    makeSpan({ 'ai.operationId': 'ai.generateText', 'ai.prompt': '{"prompt":"repeated below"}' }),
    makeSpan({ 'openinference.span.kind': 'CHAIN', 'input.value': 'repeated below' }),
    makeSpan({ 'traceloop.span.kind': 'task', 'traceloop.entity.input': 'repeated below' }),
    makeSpan({ 'http.request.method': 'POST' }),
  );
  expect(items.map(({ entry }) => entry)).toMatchObject([
    { kind: 'message', role: 'user', content: 'Brno' },
    { kind: 'message', role: 'assistant', content: 'Rain', occurredAt: new Date(1_793_520_009_000) },
  ]);
  const chain = { 'openinference.span.kind': 'CHAIN', 'input.value': 'hello', 'output.value': 'there' };
  expect(read(makeSpan(chain, { parentSpanId: undefined })).map(({ entry }) => entry)).toMatchObject([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'there' },
  ]);
});

it('gives a span the same id in any batch, and retains the order of spans (OTLP-4)', () => {
  const call = makeSpan({ 'gen_ai.operation.name': 'chat', 'session.id': 'a' });
  const tool = makeSpan({ 'gen_ai.operation.name': 'execute_tool', 'session.id': 'a' });
  const ids = read(tool, call).map(({ entry }) => entry.externalId);
  expect(ids).toEqual([`${TRACE}:${call.spanId}`, `${TRACE}:${tool.spanId}`]);
  expect(read(tool)[0]?.entry.externalId).toBe(ids[1]);
});

it('leaves attributes that are too deep, too many or ambiguous unchanged', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const wide = `[${'[],'.repeat(300_000)}[]]`;
  for (const text of [deep, wide]) {
    expect(readEntry({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': text })).toMatchObject({
      request: { messages: [{ role: 'user', content: text }] },
    });
  }
  const names = { 'gen_ai.prompt.__proto__.role': 'user', 'gen_ai.prompt.0': 'x', 'gen_ai.prompt.0.role': 'user' };
  expect(readEntry({ 'gen_ai.request.model': 'm', ...names })).toMatchObject({ kind: 'interaction' });
  expect(({} as { role?: string }).role).toBeUndefined();
});
