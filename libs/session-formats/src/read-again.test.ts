import fc from 'fast-check';
import { claudeCodeLines } from './fixtures/claude-code-lines.ts';
import { codexLines } from './fixtures/codex-lines.ts';
import { codexOldLines } from './fixtures/codex-old-lines.ts';
import { cursorLines } from './fixtures/cursor-lines.ts';
import { langsmithLines } from './fixtures/langsmith-lines.ts';
import { openaiLogsLines } from './fixtures/openai-logs-lines.ts';
import { opencodeLines } from './fixtures/opencode-lines.ts';
import { stewardLines } from './fixtures/steward-lines.ts';
import { SESSION_FORMATS, type ImportedEntry } from './session-item.ts';
import { readLines, readParts } from './testing/read-parts.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 7, 1, 10, 0, second)).toISOString();
const parse = (text: string): object[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as object);

/**
 * Returns the content of a session after files were imported one after another: for each id the highest revision, and
 * the first entry if several have the same revision.
 */
function store(files: readonly (readonly object[])[]): Record<string, ImportedEntry> {
  const stored = new Map<string, ImportedEntry>();
  for (const entry of files.flatMap((lines) => readLines(lines, { sourceId: 's' }))) {
    const known = stored.get(entry.externalId);
    if (known === undefined || (known.revision ?? 0) < (entry.revision ?? 0)) stored.set(entry.externalId, entry);
  }
  // An entry that was read again without a change stays the same; its time stays that of the first import.
  const entries = [...stored].map(([id, { formerId: _former, revision: _revision, occurredAt: _at, ...entry }]) => [
    id,
    entry,
  ]);
  return JSON.parse(
    JSON.stringify(Object.fromEntries(entries.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)))),
  ) as Record<string, ImportedEntry>;
}

const word = fc.constantFrom('continue', 'yes', 'run the tests', 'go on');

const claudeStep = fc.oneof(
  word.map((content) => [{ type: 'user', message: { role: 'user', content } }]),
  word.map((content) => [{ type: 'queue-operation', operation: 'enqueue', content }]),
  word.map((prompt) => [
    { type: 'queue-operation', operation: 'enqueue', content: prompt },
    { type: 'attachment', attachment: { type: 'queued_command', commandMode: 'prompt', prompt } },
  ]),
  fc.tuple(fc.constantFrom('A', 'B', 'C'), word, fc.nat(50)).map(([id, text, output]) => [
    {
      type: 'assistant',
      message: {
        id,
        role: 'assistant',
        content: [{ type: 'text', text }],
        usage: { input_tokens: 9, output_tokens: output },
      },
    },
  ]),
  fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.nat(50)).map(([id, number]) => [
    {
      type: 'assistant',
      message: {
        id,
        role: 'assistant',
        content: [{ type: 'tool_use', id: `t${number}`, name: 'Bash', input: {} }],
        usage: { input_tokens: 9, output_tokens: number },
      },
    },
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${number}`, content: 'x' }] },
    },
  ]),
);
const claude = fc
  .array(claudeStep, { minLength: 1, maxLength: 12 })
  .map((steps) =>
    steps.flat().map((line, place) => ({ sessionId: 's', uuid: `u${place}`, timestamp: at(place), ...line })),
  );

const said = (role: string, text: string) => ({
  ...{ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] },
});
const item = (payload: object) => ({ type: 'response_item', payload });
const event = (payload: object) => ({ type: 'event_msg', payload });
const usage = { input_tokens: 5, output_tokens: 3 };
const codexStep = fc.oneof(
  word.map((text) => [item(said('user', text))]),
  word.map((text) => [item(said('user', text)), event({ type: 'user_message', message: text })]),
  word.map((text) => [event({ type: 'agent_message', message: text }), item(said('assistant', text))]),
  word.map((text) => [event({ type: 'agent_message', message: text })]),
  fc
    .nat(9)
    .map((id) => [
      item({ type: 'function_call', call_id: `c${id}`, name: 'sh', arguments: '{}' }),
      item({ type: 'function_call_output', call_id: `c${id}`, output: 'x' }),
    ]),
  fc
    .nat(1000)
    .map((total) => [
      event({ type: 'token_count', info: { last_token_usage: usage, total_token_usage: { input_tokens: total } } }),
    ]),
  fc.nat(99).map((id) => [{ type: 'token_usage_record', payload: { response_id: `r${id}`, usage } }]),
  fc.constant([{ type: 'session_meta', payload: { id: 's' } }]),
);
const codex = fc.array(codexStep, { minLength: 1, maxLength: 12 }).map((steps) =>
  [{ type: 'session_meta', payload: { id: 's' } }, ...steps.flat()].map((line, place) => ({
    timestamp: at(place),
    ...line,
  })),
);

const geminiStep = fc.oneof(
  fc.tuple(fc.nat(4), word).map(([id, text]) => ({ id: `u${id}`, type: 'user', content: [{ text }] })),
  fc.tuple(fc.nat(4), word, fc.nat(9)).map(([id, text, output]) => ({
    ...{ id: `g${id}`, type: 'gemini', content: text, tokens: { input: 1, output } },
    toolCalls: [{ id: `c${id}`, name: 'sh', args: { output }, ...(output > 4 ? { result: text } : {}) }],
  })),
  fc.nat(4).map((id) => ({ $rewindTo: `u${id}` })),
  word.map((text) => ({ $set: { messages: [{ id: 'u0', type: 'user', content: [{ text }] }] } })),
);
const gemini = fc
  .array(geminiStep, { minLength: 1, maxLength: 12 })
  .map((lines) => [{ sessionId: 's', projectHash: 'ab' }, ...lines]);

/** Generates files with one message per line, in a session that the caller names; the last line may be truncated. */
const lines = <Line extends object>(line: (word: string, number: number) => Line) =>
  fc
    .array(fc.tuple(word, fc.nat(3)), { minLength: 1, maxLength: 12 })
    .map((drawn) => drawn.map(([text, number], place) => line(text, number * 100 + place)));
const openaiMessages = lines((text, number) => ({
  role: number < 100 ? 'user' : 'assistant',
  content: text,
  ...(number > 200 ? { tool_calls: [{ id: `c${number}`, function: { name: 'sh', arguments: '{}' } }] } : {}),
}));
const anthropicMessages = lines((text, number) => ({
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: text },
    { type: 'text', text },
    ...(number > 200 ? [{ type: 'tool_use', id: `t${number}`, name: 'sh', input: {} }] : []),
  ],
}));
const vercelMessages = lines((text, number) => ({
  id: `m${number}`,
  role: number < 100 ? 'user' : 'assistant',
  parts: [{ type: 'text', text }, ...(number > 200 ? [{ type: 'tool-sh', toolCallId: `t${number}`, input: {} }] : [])],
}));
const claudePrinted = lines((text, number) => ({
  ...{ type: 'assistant', session_id: 's', uuid: `u${number}` },
  message: { id: `m${number}`, role: 'assistant', content: [{ type: 'text', text }], usage: { output_tokens: number } },
})).map((said) => [{ type: 'system', subtype: 'init', session_id: 's', uuid: 'i' }, ...said]);
const codexPrinted = lines((text, number) => ({
  type: 'item.completed',
  item: { id: `item_${number}`, type: 'agent_message', text },
})).map((said) => [{ type: 'thread.started', thread_id: 's' }, ...said]);

const chatStream = lines((text, number) => ({
  ...{ id: `chatcmpl-${Math.floor(number / 100)}`, object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta: number > 200 ? { refusal: text } : { content: text } }],
}));
const responsesStream = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => [
  { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
  ...words.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
  {
    type: 'response.completed',
    response: { id: 'r', object: 'response', output: [{ type: 'message', content: words }] },
  },
]);
/** Generates exports of a run: one while it is in progress, and one when it has ended. */
const langsmithRuns = lines((text, number) => ({
  ...{ id: `r${Math.floor(number / 100)}`, run_type: 'llm', inputs: { text } },
  ...(number > 100 ? { outputs: { text } } : {}),
}));
/** Generates versions of a response that is requested again until it is complete. */
const responses = lines((text, number) => ({
  ...{
    id: `resp_${Math.floor(number / 100)}`,
    object: 'response',
    output: number > 100 ? [{ type: 'message', content: text }] : [],
  },
}));

const FILES: [format: string, file: fc.Arbitrary<readonly object[]>][] = [
  ['Claude Code', claude],
  ['Codex', codex],
  ['Gemini CLI', gemini],
  ['OpenAI, messages', openaiMessages],
  ['Anthropic, messages', anthropicMessages],
  ['Vercel UI', vercelMessages],
  ['Claude Code, printed', claudePrinted],
  ['Codex, printed', codexPrinted],
  ['OpenAI, chunks', chatStream],
  ['OpenAI, events', responsesStream],
  ['OpenAI, responses', responses],
  ['LangSmith, runs', langsmithRuns],
  ...Object.entries({
    'claude-code': claudeCodeLines,
    codex: codexLines,
    'codex-old': codexOldLines,
    cursor: cursorLines,
    langsmith: langsmithLines,
    openai: openaiLogsLines,
    opencode: opencodeLines,
    steward: stewardLines,
  }).map(([name, text]): [string, fc.Arbitrary<readonly object[]>] => [name, fc.constant(parse(text))]),
];

describe('a file that is imported again', () => {
  it.each(FILES)(
    'results in the content of the whole file, even if parts of it are imported in any order (IMP-3): %s',
    (_format, file) => {
      fc.assert(
        fc.property(file, fc.array(fc.nat(40), { maxLength: 4 }), fc.nat(4), (lines, cuts, place) => {
          const parts: (readonly object[])[] = cuts.map((cut) => lines.slice(0, cut % (lines.length + 1)));
          parts.splice(place % (parts.length + 1), 0, lines);
          expect(store(parts)).toEqual(store([lines]));
        }),
        { numRuns: 300 },
      );
    },
  );

  it.each<[string, object, object]>([
    [
      'Vercel',
      { id: 'c', messages: [{ id: 'm', role: 'assistant', parts: [{ type: 'text', text: 'the' }] }] },
      { id: 'c', messages: [{ id: 'm', role: 'assistant', parts: [{ type: 'text', text: 'the toucan' }] }] },
    ],
    [
      'OpenAI, messages',
      { messages: [{ id: 'm', role: 'user', content: 'the' }] },
      { messages: [{ id: 'm', role: 'user', content: 'the toucan' }] },
    ],
    [
      'OpenAI, a response',
      { id: 'r', object: 'response', status: 'in_progress', output: [] },
      { id: 'r', object: 'response', status: 'completed', output: [{ text: 'toucan' }] },
    ],
    [
      'LangSmith',
      { id: 'r', run_type: 'llm', inputs: {} },
      { id: 'r', run_type: 'llm', inputs: {}, outputs: { text: 'toucan' } },
    ],
  ])(
    'in a longer version of the file leaves all of its content, whichever comes first (IMP-10): %s',
    (_format, before, after) => {
      for (const files of [
        [[before], [after]],
        [[after], [before]],
      ])
        expect(store(files)).toEqual(store([[after]]));
    },
  );

  it('is tested for every format', () => {
    const formats = FILES.map(([, file]) => {
      const [drawn = []] = fc.sample(file, 1);
      return readParts([drawn.map((line) => JSON.stringify(line)).join('\n')], 'lines').reader.format;
    });
    expect(SESSION_FORMATS.filter((format) => !formats.includes(format))).toEqual([]);
  });

  it('distinguishes equal messages with different times: Codex', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.boolean()), { minLength: 1, maxLength: 12 }), (steps) => {
        const lines = steps.flatMap(([text, isResumed]) => [
          ...(isResumed ? [{ type: 'session_meta', payload: { id: 's' } }] : []),
          item(said('user', text)),
        ]);
        const file = [{ type: 'session_meta', payload: { id: 's' } }, ...lines].map((line, place) => ({
          timestamp: at(place),
          ...line,
        }));
        expect(Object.keys(store([file]))).toHaveLength(steps.length);
      }),
    );
  });
});
