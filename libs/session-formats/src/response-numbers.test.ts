import { readLines } from './testing/read-parts.ts';
import type { ImportedEntry } from './session-item.ts';
import { answer, call, codex, event, item, meta, result, said, user } from './testing/write-lines.ts';

describe('the sequence numbers of a response', () => {
  const sum = (entries: readonly ImportedEntry[]) => {
    const latest = new Map(entries.map((entry) => [entry.externalId, entry]));
    const add = (key: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'reasoningTokens') =>
      [...latest.values()].reduce((total, entry) => total + (entry[key] ?? 0), 0);
    return [
      add('inputTokens'),
      add('outputTokens'),
      add('cacheReadTokens'),
      add('cacheWriteTokens'),
      add('reasoningTokens'),
    ];
  };
  const usage = (input: number, output: number, more = {}) => ({ input_tokens: input, output_tokens: output, ...more });
  const thought = { type: 'thinking', thinking: '', signature: 'x' };
  const text = (words: string) => ({ type: 'text', text: words });
  const tokenCount = (seconds: number, last: object, total?: object) =>
    codex(seconds, 'event_msg', { type: 'token_count', info: { last_token_usage: last, total_token_usage: total } });
  const record = (seconds: number, id: string, counted: object) =>
    codex(seconds, 'token_usage_record', { response_id: id, usage: counted });
  const codexUsage = { input_tokens: 5000, cached_input_tokens: 1000, output_tokens: 300, reasoning_output_tokens: 50 };
  const cached = { cache_read_input_tokens: 700, cache_creation_input_tokens: 30 };
  const openai = {
    ...{ prompt_tokens: 30, completion_tokens: 8 },
    ...{ prompt_tokens_details: { cached_tokens: 12 }, completion_tokens_details: { reasoning_tokens: 5 } },
  };

  it.each<[string, object[], number[]]>([
    [
      'Claude Code: several lines, results between, answers without words',
      [
        ...[user(0, 'count'), answer(1, 'A', [thought], usage(1000, 7)), answer(2, 'A', [call('a')], usage(1000, 500))],
        ...[user(3, result('a')), answer(4, 'B', [text('one')], usage(2000, 3))],
        ...[
          answer(5, 'B', [call('b')], usage(2000, 90)),
          user(6, result('b')),
          answer(7, 'B', [text('two')], usage(2000, 90)),
        ],
      ],
      [3000, 590, 0, 0, 0],
    ],
    [
      'Claude Code: with the cache, and another response between the lines',
      [
        ...[
          user(0, 'count'),
          answer(1, 'A', [text('one')], usage(10, 1, cached)),
          answer(2, 'C', [text('sub')], usage(3, 4)),
        ],
        answer(3, 'A', [call('a')], usage(10, 50, cached)),
      ],
      [13, 54, 700, 30, 0],
    ],
    [
      'Claude Code: hidden thinking alone',
      [user(0, 'go'), answer(1, 'A', [thought], usage(10, 5)), answer(2, 'B', [text('b')], usage(20, 6))],
      [30, 11, 0, 0, 0],
    ],
    [
      'Codex: token_count, told twice',
      [
        ...[meta(0), item(1, 'user', 'go'), item(2, 'assistant', 'ok'), tokenCount(3, codexUsage, codexUsage)],
        tokenCount(4, codexUsage, codexUsage),
      ],
      [5000, 300, 1000, 0, 50],
    ],
    [
      'Codex: a call alone, its result behind its numbers',
      [
        ...[meta(0), codex(1, 'response_item', { type: 'function_call', call_id: 'c', name: 'sh', arguments: '{}' })],
        ...[
          tokenCount(2, codexUsage),
          codex(3, 'response_item', { type: 'function_call_output', call_id: 'c', output: 'x' }),
        ],
      ],
      [5000, 300, 1000, 0, 50],
    ],
    [
      'Codex: token_usage_record and token_count of the same response',
      [
        ...[meta(0), item(1, 'assistant', 'a'), record(2, 'r1', codexUsage), tokenCount(2, codexUsage)],
        ...[
          item(3, 'assistant', 'b'),
          tokenCount(4, codexUsage),
          record(4, 'r2', codexUsage),
          record(5, 'r2', codexUsage),
        ],
      ],
      [10_000, 600, 2000, 0, 100],
    ],
    [
      'Codex: events alone',
      [meta(0), event(1, 'agent_message', 'a'), tokenCount(2, codexUsage)],
      [5000, 300, 1000, 0, 50],
    ],
    [
      'Gemini CLI: a call alone',
      [
        { sessionId: 's', projectHash: 'ab' },
        {
          ...{
            id: 'g1',
            type: 'gemini',
            content: '',
            tokens: { input: 7, output: 5, cached: 3, thoughts: 2, tool: 0 },
          },
          toolCalls: [{ id: 'c1', name: 'read', args: {}, result: 'x' }],
        },
      ],
      [7, 5, 3, 0, 2],
    ],
    [
      'OpenCode: a call alone',
      [
        {
          info: {
            ...{ id: 'm1', sessionID: 's', role: 'assistant', time: { created: 1, completed: 2 } },
            tokens: { input: 7, output: 5, reasoning: 2, cache: { read: 3, write: 4 } },
          },
          parts: [{ type: 'tool', id: 'p1', tool: 'sh', state: { status: 'completed', input: {}, output: 'x' } }],
        },
      ],
      [7, 5, 3, 4, 2],
    ],
    [
      'OpenAI: a logged completion',
      [{ session_id: 's', request: { model: 'gpt' }, response: { id: 'r', choices: [], usage: openai } }],
      [30, 8, 12, 0, 5],
    ],
    [
      'Anthropic: a logged message',
      [
        {
          session_id: 's',
          request: { model: 'claude-x', messages: [] },
          response: { id: 'r', type: 'message', content: [text('a')], usage: usage(5, 6, cached) },
        },
      ],
      [5, 6, 700, 30, 0],
    ],
    [
      'Vercel AI SDK: metadata of a message',
      [
        {
          id: 'chat',
          messages: [
            {
              ...{ id: 'm', role: 'assistant', parts: [{ type: 'text', text: 'a' }] },
              metadata: { usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 2, reasoningTokens: 1 } },
            },
          ],
        },
      ],
      [9, 4, 2, 0, 1],
    ],
    [
      'Claude Code: printed, its lines have no times',
      [
        {
          type: 'assistant',
          session_id: 's',
          uuid: 'p1',
          message: { id: 'A', content: [text('one')], usage: usage(7, 2, cached) },
        },
        {
          type: 'assistant',
          session_id: 's',
          uuid: 'p2',
          message: { id: 'A', content: [call('a')], usage: usage(7, 2, cached) },
        },
        { type: 'user', session_id: 's', uuid: 'p3', message: { role: 'user', content: result('a') } },
        { type: 'result', subtype: 'success', result: 'done', session_id: 's', usage: usage(7, 2, cached) },
      ],
      [7, 2, 700, 30, 0],
    ],
    [
      'Codex: printed, a turn',
      [
        { type: 'thread.started', thread_id: 's' },
        { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: 'a' } },
        { type: 'turn.completed', usage: codexUsage },
      ],
      [5000, 300, 1000, 0, 50],
    ],
    [
      'OpenAI: a response, streamed',
      [
        { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
        {
          type: 'response.completed',
          response: {
            ...{ id: 'r', object: 'response', model: 'gpt-x', output: [said('assistant', 'a')] },
            usage: usage(9, 4, {
              input_tokens_details: { cached_tokens: 6 },
              output_tokens_details: { reasoning_tokens: 2 },
            }),
          },
        },
      ],
      [9, 4, 6, 0, 2],
    ],
    [
      'Anthropic: a line of a batch',
      [
        {
          custom_id: 'c',
          result: {
            type: 'succeeded',
            message: { id: 'r', type: 'message', content: [text('a')], usage: usage(5, 6, cached) },
          },
        },
      ],
      [5, 6, 700, 30, 0],
    ],
    [
      'LangSmith: a run with details',
      [
        {
          ...{
            id: 'r',
            trace_id: 't',
            run_type: 'llm',
            name: 'm',
            prompt_tokens: 11,
            completion_tokens: 6,
            inputs: {},
          },
          outputs: {
            usage_metadata: {
              input_token_details: { cache_read: 4, cache_creation: 2 },
              output_token_details: { reasoning: 3 },
            },
          },
        },
      ],
      [11, 6, 4, 2, 3],
    ],
    [
      'Steward: an export',
      [
        {
          ...{ type: 'message', session_source_id: 's', external_id: 'm', role: 'assistant', content: 'a' },
          ...{ input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4, reasoning_tokens: 5 },
        },
      ],
      [1, 2, 3, 4, 5],
    ],
  ])('are stored once: %s (IMP-11)', (_what, lines, expected) => {
    expect(sum(readLines(lines))).toEqual(expected);
  });

  it.each([
    [
      'Claude Code, as it prints',
      [
        { type: 'assistant', session_id: 's', uuid: 'a', message: { id: 'A', content: [text('first')] } },
        { type: 'user', session_id: 's', uuid: 'b', message: { role: 'user', content: 'second' } },
        { type: 'assistant', session_id: 's', uuid: 'c', message: { id: 'B', content: [text('third')] } },
        { type: 'result', result: 'fourth', session_id: 's', subtype: 'success' },
      ],
    ],
    [
      'Codex, before its lines had times',
      [
        { id: 's', instructions: null },
        ...[said('assistant', 'first'), said('user', 'second'), said('assistant', 'third'), said('user', 'fourth')],
      ],
    ],
  ])('retain the order of entries without a time: %s', (_what, lines) => {
    const read = readLines(lines).map((entry) => /first|second|third|fourth/.exec(JSON.stringify(entry))?.[0]);
    expect(read).toEqual(['first', 'second', 'third', 'fourth']);
  });
});
