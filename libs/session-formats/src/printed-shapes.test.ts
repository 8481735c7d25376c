import { readParts } from './testing/read-parts.ts';

const readAll = (records: readonly unknown[]) => {
  const { reader, items } = readParts([records.map((record) => JSON.stringify(record)).join('\n')], 'lines');
  return { format: reader.format, unknown: reader.unknown, items, entries: items.map(({ entry }) => entry) };
};
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' };

const SESSION = '00000000-0000-4000-8000-000000000011';
const PRINTED = [
  {
    type: 'system',
    subtype: 'init',
    cwd: '/work',
    session_id: SESSION,
    model: 'claude-x',
    claude_code_version: '2.1.200',
    uuid: 'a1',
  },
  { type: 'stream_event', event: { type: 'content_block_delta' }, session_id: SESSION, uuid: 'a0' },
  {
    type: 'assistant',
    message: {
      ...MESSAGE,
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }],
      usage: { input_tokens: 4, output_tokens: 9 },
    },
    parent_tool_use_id: null,
    session_id: SESSION,
    uuid: 'a2',
  },
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'axolotl.txt' }] },
    session_id: SESSION,
    uuid: 'a3',
  },
  {
    type: 'user',
    message: { role: 'user', content: 'Explore.' },
    parent_tool_use_id: 't0',
    session_id: SESSION,
    uuid: 'a4',
  },
  {
    type: 'assistant',
    message: { ...MESSAGE, id: 'msg_2', content: [{ type: 'text', text: 'I found it' }] },
    session_id: SESSION,
    uuid: 'a5',
  },
  { type: 'result', subtype: 'success', result: 'I found it', session_id: SESSION, uuid: 'a6' },
];

describe('output of Claude Code (stream-json)', () => {
  it('is read in the same way as its transcript, and the final result is not repeated', () => {
    const { format, items, unknown } = readAll(PRINTED);
    expect([format, unknown]).toEqual(['claude_code', {}]);
    expect(new Set(items.map(({ session }) => session.sourceId))).toEqual(new Set([SESSION]));
    expect(items.map(({ entry }) => entry)).toMatchObject([
      { kind: 'tool_call', toolName: 'Bash', result: 'axolotl.txt' },
      { kind: 'message', role: 'user', content: 'Explore.', byProgram: true },
      { kind: 'message', role: 'assistant', content: 'I found it', externalId: 'a5' },
    ]);
    expect(items.at(-1)?.session.labels).toMatchObject({ cwd: '/work', version: '2.1.200' });
  });

  it('is read identically as a list (claude-code-action)', () => {
    const { items } = readParts([JSON.stringify(PRINTED, null, 2)], 'values');
    expect(items).toEqual(readAll(PRINTED).items);
  });

  it('is read from the result if nothing else was printed (json)', () => {
    expect(readAll(PRINTED.slice(-1)).entries).toMatchObject([{ role: 'assistant', content: 'I found it' }]);
    const usage = { input_tokens: 5, output_tokens: 7 };
    expect(readAll([{ ...PRINTED.at(-1), usage }]).entries).toMatchObject([{ inputTokens: 5, outputTokens: 7 }]);
    const whole = readAll([...PRINTED.slice(0, -1), { ...PRINTED.at(-1), result: 'and more', usage }]).entries.at(-1);
    expect(whole).not.toHaveProperty('inputTokens');
    const structured = { ...PRINTED.at(-1), result: '', structured_output: { bird: 'heron' } };
    expect(readAll([structured]).entries).toMatchObject([{ content: { bird: 'heron' } }]);
    const failed = { type: 'result', subtype: 'error_during_execution', errors: ['No key'], session_id: SESSION };
    expect(readAll([failed]).entries).toMatchObject([{ content: 'No key' }]);
  });
});

describe('output of Codex (exec --json)', () => {
  const item = (fields: object) => ({ type: 'item.completed', item: fields });
  const printed = [
    { type: 'thread.started', thread_id: SESSION },
    { type: 'turn.started' },
    { type: 'item.started', item: { id: 'item_0', type: 'command_execution', command: 'ls' } },
    item({ id: 'item_0', type: 'command_execution', command: 'ls', aggregated_output: 'gecko.txt', exit_code: 1 }),
    item({ id: 'item_1', type: 'reasoning', text: 'a gecko' }),
    item({
      id: 'item_2',
      type: 'mcp_tool_call',
      server: 'zoo',
      tool: 'count',
      arguments: { of: 'gecko' },
      result: { content: [{ type: 'text', text: '3' }] },
      status: 'completed',
    }),
    item({ id: 'item_3', type: 'agent_message', text: 'there is a gecko' }),
    { type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 5 } },
    { type: 'item.started', item: { id: 'item_4', type: 'command_execution', command: 'sleep 9' } },
    { type: 'turn.failed', error: { message: 'stream ended' } },
  ];

  const usage = { input_tokens: 10, output_tokens: 5 };
  it.each<[string, object[]]>([
    [
      'a list of tasks behind the answer',
      [item({ id: 'a', type: 'agent_message', text: 'done' }), item({ id: 'b', type: 'todo_list', items: [] })],
    ],
    ['a command', [item({ id: 'a', type: 'command_execution', command: 'ls' })]],
    ['its answer', [item({ id: 'a', type: 'agent_message', text: 'done' })]],
  ])('counts the tokens of a turn once if it ends with %s (IMP-11)', (_what, steps) => {
    const { entries } = readAll([printed[0], ...steps, { type: 'turn.completed', usage }]);
    expect(entries.filter(({ inputTokens }) => inputTokens !== undefined)).toMatchObject([
      { inputTokens: 10, outputTokens: 5 },
    ]);
  });

  it('estimates the tokens of a turn that was interrupted before they were reported', () => {
    const lines = [
      printed[0],
      item({ id: 'a', type: 'agent_message', text: 'done' }),
      { type: 'turn.completed', usage },
    ];
    const [cut, whole] = [readAll(lines.slice(0, 2)).entries[0], readAll(lines).entries[0]];
    expect(whole?.externalId).toBe(cut?.externalId);
    expect([cut?.revision ?? 0, whole?.revision]).toEqual([0, 1]);
  });

  it('contains an error once', () => {
    const failed = [
      printed[0],
      { type: 'error', message: 'no gecko' },
      { type: 'turn.failed', error: { message: 'no gecko' } },
    ];
    expect(readAll(failed)).toMatchObject({ unknown: {}, entries: [{ role: 'system', content: 'no gecko' }] });
  });

  it('contains the thread with its steps, and assigns the tokens of a turn to its response', () => {
    const { format, items, entries, unknown } = readAll(printed);
    expect([format, unknown, items[0]?.session.sourceId]).toEqual(['codex', {}, SESSION]);
    expect(entries).toMatchObject([
      { kind: 'tool_call', toolName: 'shell', arguments: { command: 'ls' }, result: 'gecko.txt', status: 'error' },
      { kind: 'message', role: 'assistant' },
      { kind: 'tool_call', toolName: 'zoo/count', status: 'ok' },
      { kind: 'message', role: 'assistant', content: 'there is a gecko', inputTokens: 10, outputTokens: 5 },
      { kind: 'message', role: 'system', content: 'stream ended' },
      { kind: 'tool_call', arguments: { command: 'sleep 9' }, externalId: expect.stringMatching(/:open$/) },
    ]);
  });

  it('counts items of unknown kinds by kind', () => {
    expect(readAll([...printed, item({ id: 'item_9', type: 'hologram' })]).unknown).toEqual({ hologram: 1 });
  });
});

describe('the messages of a LangSmith run', () => {
  it.each([
    ['human', 'user'],
    ['ai', 'assistant'],
    ['system', 'system'],
    ['tool', 'tool'],
    ['AIMessageChunk', 'assistant'],
    ['HumanMessage', 'user'],
  ])('have the right role if they contain `type: %s`', (type, role) => {
    const messages = [[{ type, content: 'where is the toucan' }]];
    const run = { id: 'r1', trace_id: 't', run_type: 'llm', name: 'm', inputs: { messages }, outputs: {} };
    expect(readAll([run]).entries).toMatchObject([{ request: { messages: [[{ role }]] } }]);
    const given = [[{ lc: 1, type: 'constructor', id: ['langchain', 'schema', type], kwargs: { type, content: 'x' } }]];
    const constructed = { ...run, inputs: { messages: given } };
    expect(readAll([constructed]).entries).toMatchObject([{ request: { messages: [[{ role }]] } }]);
  });
});

describe('the title in a transcript of Claude Code', () => {
  const line = (fields: object) => ({ sessionId: SESSION, ...fields });
  const said = line({ type: 'user', uuid: 'u', message: { role: 'user', content: 'Hi' } });
  const [made, later] = ['Made', 'Made later'].map((aiTitle) => line({ type: 'ai-title', aiTitle }));
  const given = line({ type: 'custom-title', customTitle: 'Given' });

  it.each([
    ['the newest that the agent made', [made, later], 'Made later'],
    ['the one that its user gave', [made, given], 'Given'],
    ['the one that its user gave, whatever the agent makes later', [given, later], 'Given'],
  ])('is %s', (_which, titles, title) => {
    expect(readAll([...titles, said]).items[0]?.session.title).toBe(title);
  });
});
