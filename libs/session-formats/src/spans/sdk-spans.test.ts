import type { OtlpSpan } from '@steward/otlp';
import { readTraces } from './read-traces.ts';
import { makeSpan } from './testing/make-span.ts';
import { findUnread } from './unread-span.ts';

const json = JSON.stringify;
const readAll = (...spans: OtlpSpan[]) => [...readTraces(spans)];

const ASKED = { role: 'user', content: 'Weather in Brno?' };
const EVENTS = json([
  { content: 'Be brief', role: 'system', 'gen_ai.message.index': 0, 'event.name': 'gen_ai.system.message' },
  { ...ASKED, 'gen_ai.message.index': 0, 'event.name': 'gen_ai.user.message' },
  { index: 0, message: { role: 'assistant', content: 'Rain' }, 'event.name': 'gen_ai.choice' },
]);
const PARTS = [
  { role: 'user', parts: [{ type: 'text', content: 'Weather in Brno?' }] },
  { role: 'assistant', parts: [{ type: 'text', content: 'Rain' }] },
];
const CALL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': 12,
  'gen_ai.usage.output_tokens': 3,
};

/** The same call of model `m`, 12 tokens in and 3 out, as each SDK writes it. */
const CALLS: [sdk: string, attributes: OtlpSpan['attributes']][] = [
  ['Pydantic AI up to 0.8', { ...CALL, events: EVENTS }],
  [
    'Pydantic AI 1',
    { ...CALL, 'gen_ai.input.messages': json(PARTS.slice(0, 1)), 'gen_ai.output.messages': json(PARTS.slice(1)) },
  ],
  [
    'Google ADK',
    {
      'gen_ai.system': 'gcp.vertex.agent',
      'gen_ai.request.model': 'm',
      'gcp.vertex.agent.session_id': 's1',
      'gcp.vertex.agent.llm_request': json({
        ...{ model: 'm', config: { system_instruction: 'Be brief' } },
        contents: [{ role: 'user', parts: [{ text: 'Weather in Brno?' }] }],
      }),
      'gcp.vertex.agent.llm_response': json({ content: { role: 'model', parts: [{ text: 'Rain' }] } }),
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
    },
  ],
  [
    'Langfuse',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': json([ASKED]),
      'langfuse.observation.output': json({ role: 'assistant', content: 'Rain' }),
      'langfuse.observation.model.name': 'm',
      'langfuse.observation.usage_details': json({ input: 12, output: 3, total: 15 }),
    },
  ],
  [
    'Langfuse, with the answer of the provider',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': json({ model: 'm', messages: [ASKED] }),
      'langfuse.observation.output': json({ choices: [{ index: 0, message: { role: 'assistant', content: 'Rain' } }] }),
      'langfuse.observation.model.name': 'm',
      'langfuse.observation.usage_details': json({ prompt_tokens: 12, completion_tokens: 3 }),
    },
  ],
  [
    'Logfire',
    {
      ...CALL,
      request_data: json({ model: 'm', messages: [ASKED] }),
      response_data: json({ message: { role: 'assistant', content: 'Rain' }, usage: {} }),
    },
  ],
  [
    'Logfire, streamed',
    {
      ...CALL,
      request_data: json({ model: 'm', messages: [ASKED] }),
      response_data: json({ combined_chunk_content: 'Rain', chunk_count: 1 }),
    },
  ],
  [
    'MLflow',
    {
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.spanInputs': json({ messages: [ASKED] }),
      'mlflow.spanOutputs': json({ choices: [{ message: { role: 'assistant', content: 'Rain' } }] }),
      'mlflow.llm.model': 'm',
      'mlflow.chat.tokenUsage': json({ input_tokens: 12, output_tokens: 3 }),
    },
  ],
];

/** Same call of a tool, as each SDK writes it. */
const TOOLS: [sdk: string, attributes: OtlpSpan['attributes'], name: string][] = [
  [
    'Pydantic AI up to 1',
    {
      'gen_ai.tool.name': 'weather',
      'gen_ai.tool.call.id': 'c',
      tool_arguments: '{"city":"Brno"}',
      tool_response: 'Rain',
    },
    'running tool',
  ],
  [
    'Google ADK',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weather',
      'gcp.vertex.agent.tool_call_args': '{"city":"Brno"}',
      'gcp.vertex.agent.tool_response': 'Rain',
    },
    'execute_tool weather',
  ],
  [
    'Langfuse',
    {
      'langfuse.observation.type': 'tool',
      'langfuse.observation.input': '{"city":"Brno"}',
      'langfuse.observation.output': 'Rain',
    },
    'weather',
  ],
  [
    'MLflow',
    { 'mlflow.spanType': '"TOOL"', 'mlflow.spanInputs': '{"city":"Brno"}', 'mlflow.spanOutputs': 'Rain' },
    'weather',
  ],
];

/** Spans that rate an input or an output. */
for (const kind of ['GUARDRAIL', 'EVALUATOR'])
  TOOLS.push([
    `OpenInference, ${kind}`,
    { 'openinference.span.kind': kind, 'input.value': '{"city":"Brno"}', 'output.value': 'Rain' },
    'weather',
  ]);

/** Same turn of an agent, as each SDK writes it. */
const TURNS: [sdk: string, attributes: OtlpSpan['attributes']][] = [
  ['Pydantic AI up to 0.8', { agent_name: 'sky', model_name: 'm', all_messages_events: EVENTS, final_result: 'Rain' }],
  ['Pydantic AI 1', { 'gen_ai.agent.name': 'sky', 'pydantic_ai.all_messages': json(PARTS), final_result: 'Rain' }],
  [
    'Langfuse',
    {
      'langfuse.observation.type': 'agent',
      'langfuse.observation.input': json([ASKED]),
      'langfuse.observation.output': 'Rain',
    },
  ],
  [
    'MLflow',
    { 'mlflow.spanType': '"AGENT"', 'mlflow.spanInputs': json({ messages: [ASKED] }), 'mlflow.spanOutputs': 'Rain' },
  ],
];

describe('an attribute set by an SDK (OTLP-2)', () => {
  it.each(CALLS)('is read as a model call with its text, model and tokens: %s', (_sdk, attributes) => {
    const span = makeSpan(attributes);
    const [{ entry } = {}] = readAll(span);
    expect(entry).toMatchObject({ kind: 'interaction', model: 'm', inputTokens: 12, outputTokens: 3 });
    expect(entry).toMatchObject({
      request: { messages: expect.arrayContaining([expect.objectContaining(ASKED)]) as unknown },
      response: { messages: [{ role: 'assistant', content: 'Rain' }] },
    });
    expect(findUnread(span)).toBeUndefined();
  });

  it.each([
    [
      'Langfuse',
      { 'langfuse.observation.usage_details': json({ input: 12, input_cached_tokens: 4, output_reasoning_tokens: 2 }) },
    ],
    [
      'MLflow',
      {
        'mlflow.chat.tokenUsage': json({ input_tokens: 12, cache_read_input_tokens: 4 }),
        'gen_ai.usage.reasoning_tokens': 2,
      },
    ],
  ])('is read with all of its token counts: %s (IMP-11)', (_sdk, attributes: OtlpSpan['attributes']) => {
    expect(readAll(makeSpan({ ...CALL, ...attributes }))).toMatchObject([
      { entry: { inputTokens: 12, cacheReadTokens: 4, reasoningTokens: 2 } },
    ]);
  });

  it.each(TOOLS)('is read as a tool call with arguments and result: %s', (_sdk, attributes, name) => {
    const span = makeSpan(attributes, { name });
    expect(readAll(span)).toMatchObject([
      { entry: { kind: 'tool_call', toolName: 'weather', arguments: { city: 'Brno' }, result: 'Rain' } },
    ]);
    expect(findUnread(span)).toBeUndefined();
  });

  it.each(TURNS)('is read as the question and answer of an agent: %s', (_sdk, attributes) => {
    const span = makeSpan(attributes, { name: 'sky' });
    const items = readAll(span);
    expect(items.map(({ entry }) => entry)).toMatchObject([
      { kind: 'message', ...ASKED },
      { kind: 'message', role: 'assistant', content: 'Rain' },
    ]);
    expect(findUnread(span)).toBeUndefined();
  });

  it('belongs to the conversation named by the attribute', () => {
    const name = (attributes: OtlpSpan['attributes']) =>
      readAll(makeSpan({ ...CALL, ...attributes }))[0]?.session.sourceId;
    expect(name({ 'gcp.vertex.agent.session_id': 's1' })).toBe('s1');
    expect(name({ 'session.id': 's2' })).toBe('s2');
  });

  it('uses the model of its span if it contains none', () => {
    const span = makeSpan({ 'gen_ai.operation.name': 'chat' }, { name: 'chat gpt-5' });
    expect(readAll(span)).toMatchObject([{ entry: { model: 'gpt-5' } }]);
  });

  it('can report a failed call', () => {
    const failed = { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'slow down' };
    const span = makeSpan({ 'langfuse.observation.type': 'generation', ...failed });
    expect(readAll(span)).toMatchObject([{ entry: { status: 'error', response: { error: 'slow down' } } }]);
  });
});

describe('a span with text that is not read (OTLP-9)', () => {
  it.each<[string, OtlpSpan['attributes'], string | undefined, string | undefined]>([
    ['of a product that is not known', { 'braintrust.input_json': '[{}]' }, 'braintrust.input_json', 'braintrust'],
    ['of a model, in an attribute of nobody', { ...CALL, 'acme.prompt': 'Hi' }, 'acme.prompt', 'other'],
    ['of a model, as data', { ...CALL, 'acme.request_data': '{}' }, 'acme.request_data', 'other'],
    [
      'of an agent that is made',
      { 'gen_ai.operation.name': 'create_agent', 'gen_ai.system_instructions': 'Hi' },
      'gen_ai.system_instructions',
      'gen_ai',
    ],
    ['of a model without words', CALL, undefined, undefined],
    ['that is no agent’s', { 'http.request.content': 'Hi', 'db.query': 'select 1' }, undefined, undefined],
    ['that repeats what others say', { 'openinference.span.kind': 'CHAIN', 'input.value': 'Hi' }, undefined, undefined],
    ['that was read', { ...CALL, events: EVENTS }, undefined, undefined],
  ])('is reported: %s', (_which, attributes, attribute, convention) => {
    const found = findUnread(makeSpan(attributes));
    expect([found?.attribute, found?.convention]).toEqual([attribute, convention]);
  });
});
