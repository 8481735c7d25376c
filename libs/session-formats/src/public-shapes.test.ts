import { readParts } from './testing/read-parts.ts';
import { claude, codex, item, meta, queued, user } from './testing/write-lines.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const AT = '2026-01-15T10:00:00.000Z';
const MS = 1_700_000_000_000;

const answer = (content: unknown) =>
  claude({ type: 'assistant', timestamp: AT, message: { role: 'assistant', model: 'claude-x', content } });
const call = { type: 'tool_use', id: 't1', name: 'Read', input: { path: 'heron' } };
const asSubagent = { isSidechain: true, agentId: 'a1' };
const gemini = (...messages: object[]) => ({ sessionId: 's1', projectHash: 'ab', startTime: AT, messages });
const ofGemini = (type: string, content: unknown, more: object = {}) => ({
  id: `g-${type}`,
  type,
  timestamp: AT,
  content,
  ...more,
});
const plain = (role: string, content: unknown, more: object = {}) => ({ role, content, ...more });
/** Builds lines as early test files contain them: without a session or a parent. */
const bare = (type: string, content: unknown) => ({ type, timestamp: AT, message: { content } });
const untyped = (role: string, text: string) => codex(1, 'response_item', { role, content: [{ text }] });
const fromCodex = (payload: object) => codex(1, 'response_item', payload);

/** Row of the table: the shape of a sample with invented content. The word `heron` is found if the format is read. */
type Row = [shape: string, format: string | null, unknown: Record<string, number>, file: readonly object[] | string];

const CLAUDE: Row[] = [
  ['messages as text and blocks', 'claude_code', {}, [user(0, 'see'), answer([{ type: 'text', text: 'a heron' }])]],
  [
    'tools with results',
    'claude_code',
    {},
    [answer([call]), user(1, [{ type: 'tool_result', tool_use_id: 't1', content: 'a heron' }])],
  ],
  ['a list of tasks', 'claude_code', {}, [answer([{ ...call, name: 'TodoWrite', input: { todos: ['heron'] } }])]],
  ['a second session beside', 'claude_code', {}, [{ ...user(0, 'heron'), sessionId: 'b' }, user(1, 'x')]],
  [
    'lines of unknown and missing types',
    'claude_code',
    { 'no type': 1, hologram: 1 },
    [user(0, 'heron'), claude({ x: 1 }), claude({ type: 'hologram' })],
  ],
  ['a subagent by itself', 'claude_code', {}, [{ ...user(0, 'heron'), ...asSubagent }]],
  ['a system line with a message', 'claude_code', {}, [claude({ type: 'system', message: plain('system', 'heron') })]],
  ['tools as lines of their own', 'claude_code', { tool: 1 }, [user(0, 'heron'), claude({ type: 'tool', tool: 'x' })]],
  [
    'results as lines of their own',
    'claude_code',
    { tool_result: 1 },
    [user(0, 'heron'), claude({ type: 'tool_result', content: 'x' })],
  ],
  ['one message', 'claude_code', {}, [user(0, 'heron')]],
  ['a thousand lines', 'claude_code', {}, Array.from({ length: 1000 }, (_, index) => user(index, 'heron'))],
  ['other scripts and emoji', 'claude_code', {}, [user(0, 'heron 鷺 🪶 مالك')]],
  [
    'broken lines between',
    'claude_code',
    { broken: 1 },
    `${JSON.stringify(user(0, 'heron'))}\n{"type": "user",\n${JSON.stringify(user(1, 'x'))}`,
  ],
  ['a cut last line', 'claude_code', { broken: 1 }, `${JSON.stringify(user(0, 'heron'))}\n{"type":"assist`],
  [
    'fields that are missing',
    'claude_code',
    { 'no type': 1, user: 1 },
    [user(0, 'heron'), claude({ message: plain('user', 'x') }), claude({ type: 'user' })],
  ],
  ['fields of other types', 'claude_code', { user: 1 }, [user(0, 'heron'), claude({ type: 'user', message: 7 })]],
  ['names of another program in it', 'claude_code', {}, [{ ...user(0, 'heron'), agent: 'aider', workspace: '/w' }]],
  ['lines that name no session', 'claude_code', {}, [bare('user', 'heron'), bare('assistant', [call])]],
  [
    'prompts of the queue without a session',
    'claude_code',
    {},
    [bare('user', 'heron'), { ...queued(1, '<task-notification>x</task-notification>'), sessionId: undefined }],
  ],
  ['a call without its result', 'claude_code', {}, [user(0, 'heron'), answer([call])]],
  ['no message at all', null, { 'not recognised': 1 }, [{ sessionId: 's', agent: 'x', messages: [] }]],
];

const CODEX: Row[] = [
  ['messages', 'codex', {}, [meta(0), item(1, 'user', 'heron')]],
  [
    'a call of a tool in an event',
    'codex',
    { 'event_msg tool_call': 1 },
    [meta(0), item(1, 'user', 'heron'), codex(2, 'event_msg', { type: 'tool_call', name: 'bash' })],
  ],
  ['messages without a type', 'codex', {}, [meta(0), untyped('user', 'heron')]],
  [
    'arguments as text',
    'codex',
    {},
    [meta(0), fromCodex({ type: 'function_call', call_id: 'c', name: 'sh', arguments: '{"cmd":"heron"}' })],
  ],
  [
    'arguments as an object',
    'codex',
    {},
    [meta(0), fromCodex({ type: 'function_call', call_id: 'c', name: 'sh', arguments: { chars: 'heron' } })],
  ],
  [
    'calls with a summary alone',
    'codex',
    {},
    [meta(0), untyped('user', 'heron'), fromCodex({ type: 'function_call', call_id: 'c', name: 'sh' })],
  ],
  ['answers with quoted lines', 'codex', {}, [meta(0), item(1, 'assistant', 'one\n\n> heron')]],
  [
    'functions of the chat API within',
    'codex',
    {},
    [
      meta(0),
      fromCodex({ type: 'message', role: 'assistant', content: null, function_call: { name: 'sh', arguments: '{}' } }),
      fromCodex({ type: 'message', role: 'function', name: 'sh', content: 'heron' }),
    ],
  ],
];

const GEMINI: Row[] = [
  ['messages', 'gemini_cli', {}, [gemini(ofGemini('user', 'heron'), ofGemini('gemini', 'yes'))]],
  ['what the program said', 'gemini_cli', {}, [gemini(ofGemini('info', 'heron'))]],
  ['thoughts alone', 'gemini_cli', {}, [gemini(ofGemini('gemini', '', { thoughts: [{ subject: 'heron' }] }))]],
  ['calls', 'gemini_cli', {}, [gemini(ofGemini('gemini', '', { toolCalls: [{ id: 'c', name: 'heron', args: {} }] }))]],
  [
    'calls with results',
    'gemini_cli',
    {},
    [gemini(ofGemini('gemini', '', { toolCalls: [{ id: 'c', name: 'sh', result: 'heron' }] }))],
  ],
  ['answers of the type model', 'gemini_cli', {}, [gemini(ofGemini('model', 'heron'))]],
];

const CHAT: Row[] = [
  ['one message a line', 'openai_chat', {}, [plain('user', 'heron'), plain('assistant', 'yes')]],
  ['words in `text` (Amp)', 'openai_chat', {}, [{ id: 't', messages: [{ role: 'user', text: 'heron' }] }]],
  ['words in `text` (projects)', 'openai_chat', {}, [{ projectId: 'p', messages: [{ role: 'user', text: 'heron' }] }]],
  ['times in milliseconds (Cline)', 'openai_chat', {}, [plain('user', 'heron', { timestamp: MS })]],
  [
    'calls and results of tools',
    'openai_chat',
    {},
    [
      plain('assistant', null, { tool_calls: [{ id: 'c', function: { name: 'sh', arguments: '{}' } }] }),
      plain('tool', 'heron', { tool_call_id: 'c' }),
    ],
  ],
  ['with names of sessions beside', 'openai_chat', {}, [plain('user', 'heron', { id: 'm', sessionID: 's' })]],
  ['without words', 'openai_chat', { 'no message': 1 }, [{ messages: [{ role: 'user' }] }]],
];

const REFUSED: Row[] = [
  ['ChatGPT', null, { 'ChatGPT export': 1 }, [{ title: 't', mapping: { a: { parent: null, children: [] } } }]],
  ['Claude.ai', null, { 'Claude.ai export': 1 }, [{ uuid: 'u', chat_messages: [{ text: 'x' }] }]],
  [
    'Copilot, events',
    null,
    { 'Copilot session': 2 },
    [
      { session_id: 's', type: 'user.message', prompt: 'x' },
      { session_id: 's', type: 'assistantresponse', result: 'x' },
    ],
  ],
  ['Copilot, history', null, { 'Copilot session': 1 }, [{ history: [plain('human', 'x')] }]],
  ['Aider', null, { 'Aider history': 2, broken: 1 }, '# aider chat started at 2026-01-01\n#### fix it\n> done'],
  ['Pi', null, { 'Pi session': 1 }, [{ type: 'session', version: 3, id: 's', cwd: '/w' }]],
  [
    'OpenCode before its database',
    null,
    { 'OpenCode files from before OpenCode used a database': 3 },
    [
      { id: 's', directory: '/w', projectID: 'p' },
      { id: 'm', sessionID: 's', role: 'user', time: { created: MS } },
      { id: 'p', messageID: 'm', type: 'text', text: 'x' },
    ],
  ],
  ['Cursor', null, { 'Cursor chat database': 1 }, [{ composer_key: 'k', composer_data: { name: 'x' } }]],
  ['Kiro', null, { 'Kiro session': 1 }, [{ conversation_id: 'c', history: [{ user: {} }] }]],
  ['Antigravity', null, { 'Antigravity transcript': 1 }, [{ step_index: 0, source: 'USER_EXPLICIT', content: 'x' }]],
  ['Cline', null, { 'Cline task': 1 }, [{ ts: MS, type: 'say', say: 'text', text: 'x' }]],
  ['Grok', null, { 'Grok session': 1 }, [{ type: 'user', content: [{ type: 'text', text: 'x' }], prompt_index: 0 }]],
  ['Kimi', null, { 'Kimi session': 1 }, [{ type: 'config.update', cwd: '/w' }]],
  ['a SQLite database', null, { 'SQLite database': 1 }, 'SQLite format 3\u0000'],
  ['packed with gzip, unsaid', null, { 'gzip or zstd': 1 }, Buffer.from([0x1f, 0x8b, 8, 0, 0, 1]).toString()],
  ['packed with zstd, unsaid', null, { 'gzip or zstd': 1 }, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 1]).toString()],
  ['in UTF-16', null, { 'UTF-16': 1 }, Buffer.from('\ufeff{"type":"user"}', 'utf16le').toString()],
];

function readFile(file: readonly object[] | string) {
  const text = typeof file === 'string' ? file : file.map((line) => JSON.stringify(line)).join('\n');
  return readParts([text], 'lines', { sourceId: SESSION });
}

describe('the formats of public samples (IMP-1, IMP-12)', () => {
  it.each<Row>([...CLAUDE, ...CODEX, ...GEMINI, ...CHAT])('are read: %s', (_shape, format, unknown, file) => {
    const { reader, items } = readFile(file);
    expect([reader.format ?? null, reader.unknown]).toEqual([format, unknown]);
    const isStored = JSON.stringify(items).includes('heron');
    expect(isStored || unknown['no message'] === 1 || unknown['not recognised'] === 1).toBe(true);
  });

  it.each<Row>(REFUSED)('are refused by name: %s', (_shape, format, unknown, file) => {
    const { reader, items } = readFile(file);
    expect([reader.format ?? null, reader.unknown, items]).toEqual([format, unknown, []]);
  });

  it('number at least 51', () => {
    expect([...CLAUDE, ...CODEX, ...GEMINI, ...CHAT, ...REFUSED].length).toBeGreaterThanOrEqual(51);
  });
});
