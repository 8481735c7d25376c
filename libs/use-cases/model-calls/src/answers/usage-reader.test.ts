import fc from 'fast-check';
import type { CallPath } from '../call-path.ts';
import { createUsageReader } from './usage-reader.ts';

const SIZES = { inputBytes: 350, mostOutputTokens: 100 };

function read(
  path: CallPath,
  pieces: readonly Buffer[],
  { isStream = true, hasEnded = true, leastOutputTokens = 0 } = {},
) {
  const reader = createUsageReader({ path, isStream, ...SIZES, leastOutputTokens });
  for (const piece of pieces) reader.read(piece);
  const { counts, source } = reader.count(hasEnded);
  return { ...counts, source, isComplete: reader.isComplete, hasFailed: reader.hasFailed };
}

/** Splits a text at each of these positions. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [
    0,
    ...places.map((place) => place % (bytes.byteLength + 1)).toSorted((a, b) => a - b),
    bytes.byteLength,
  ];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

const events = (...data: readonly unknown[]): string =>
  data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');
const CHAT_USAGE = { prompt_tokens: 12, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 5 } };
const RESPONSE_USAGE = { input_tokens: 12, output_tokens: 7, input_tokens_details: { cached_tokens: 5 } };
const delta = (content: string) => ({ choices: [{ delta: { content } }], usage: null });
const say = (text: string) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } });

const COUNTED = { inputTokens: 12, cachedInputTokens: 5, outputTokens: 7, source: 'provider', hasFailed: false };
const CHAT = events(delta('"usage":{"prompt_tokens":1} žlu\\"'), { choices: [], usage: CHAT_USAGE }, '[DONE]');
const STREAMS: readonly (readonly [CallPath, string])[] = [
  ['/chat/completions', CHAT],
  ['/chat/completions', `: hello\r\n\r\n${CHAT.replaceAll('\n', '\r\n')}`],
  ['/chat/completions', CHAT.replaceAll('\n', '\r').replaceAll('data: ', 'data:')],
  [
    '/responses',
    events(
      { type: 'response.created', response: { usage: null } },
      { type: 'response.output_text.delta', delta: 'usage' },
      { type: 'response.completed', response: { output: [{ usage: 1 }], usage: RESPONSE_USAGE } },
    ),
  ],
];

describe('the usage of a stream', () => {
  it.each(STREAMS)('is the provider’s count, however the stream is split into chunks: %s', (path, text) => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        expect(read(path, cutAt(Buffer.from(text), places))).toMatchObject({ ...COUNTED, isComplete: true });
      }),
    );
  });

  const start = { input_tokens: 7, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 };
  it('includes cached input tokens and the last output count of the messages API', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 1 };
    const text = events(
      { type: 'message_start', message: { usage: { ...start, cache_creation } } },
      say('hi'),
      { type: 'message_delta', usage: { output_tokens: 40, input_tokens: null } },
      { type: 'message_stop' },
    );
    expect(read('/messages', [Buffer.from(text)])).toEqual({
      ...{ inputTokens: 12, cachedInputTokens: 3, cacheWriteTokens: 2, longCacheWriteTokens: 1, outputTokens: 40 },
      ...{ source: 'provider', isComplete: true, hasFailed: false },
    });
  });

  it.each<[CallPath, readonly object[]]>([
    ['/chat/completions', [delta('x'), { choices: [], x_groq: { usage: CHAT_USAGE } }]],
    ['/chat/completions', [delta('x'), { choices: [{ index: 0, delta: {}, usage: CHAT_USAGE }] }]],
    [
      '/messages',
      [
        {
          type: 'message_start',
          message: { usage: { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 1 } },
        },
        { type: 'message_delta', usage: { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 } },
      ],
    ],
  ])('of %s is also found in %j', (path, list) => {
    expect(read(path, [Buffer.from(events(...list))])).toMatchObject(COUNTED);
  });

  it('includes the count and an estimate of the text after it if a stream of the messages API ended early', () => {
    const text = events({ type: 'message_start', message: { usage: start } }, say('x'.repeat(350)));
    const partial = { inputTokens: 12, outputTokens: 100, source: 'partial', isComplete: false };
    expect(read('/messages', [Buffer.from(text)], { hasEnded: false })).toMatchObject(partial);
  });

  it('includes the text after the last count if a stream of the chat API ended early, even if the provider reports counts from the first chunk on', () => {
    const early = { ...delta(''), usage: { ...CHAT_USAGE, completion_tokens: 0 } };
    const text = Buffer.from(events(early, delta('x'.repeat(350))));
    const partial = { inputTokens: 12, cachedInputTokens: 5, outputTokens: 100, source: 'partial' };
    expect(read('/chat/completions', [text], { hasEnded: false })).toMatchObject(partial);
  });

  it('is estimated from its text if it contains no count', () => {
    const text = Buffer.from(events(delta('x'.repeat(34)), delta('y')));
    const guess = { inputTokens: 100, outputTokens: 10 };
    expect(read('/chat/completions', [text])).toMatchObject({ ...guess, source: 'estimated' });
    expect(read('/chat/completions', [text], { hasEnded: false })).toMatchObject({ ...guess, source: 'partial' });
  });

  it('is not read from a member that is named like the prototype', () => {
    const text = `data: {"choices":[],"usage":{"__proto__":${JSON.stringify(CHAT_USAGE)}}}\n\n`;
    expect(read('/chat/completions', [Buffer.from(text)])).toMatchObject({ inputTokens: 100, source: 'estimated' });
  });

  it('is final even if the client disconnected after the count', () => {
    expect(read('/chat/completions', [Buffer.from(CHAT)], { hasEnded: false })).toMatchObject(COUNTED);
  });

  it.each([
    ['/chat/completions' as const, { error: { message: 'The server had an error.' } }],
    ['/responses' as const, { type: 'response.failed', response: { error: {} } }],
    ['/messages' as const, { type: 'error', error: { type: 'overloaded_error' } }],
  ])('reports a failure of the provider during a response of %s', (path, event) => {
    expect(read(path, [Buffer.from(events(event))]).hasFailed).toBe(true);
  });
});

describe('the usage of a response that is not streamed', () => {
  it.each<[CallPath, object, object]>([
    ['/chat/completions', { id: 'x', usage: CHAT_USAGE }, COUNTED],
    ['/responses', { error: null, usage: RESPONSE_USAGE, output: [{ usage: 2 }] }, COUNTED],
    [
      '/embeddings',
      { data: [{ embedding: [0.1, -2e5] }], usage: { prompt_tokens: 3 } },
      { inputTokens: 3, outputTokens: 0, source: 'provider' },
    ],
    [
      '/messages',
      { content: [{ text: 'x' }], usage: { input_tokens: 4, output_tokens: 0 } },
      { inputTokens: 4, outputTokens: 0, source: 'provider' },
    ],
    [
      '/chat/completions',
      { usage: { prompt_tokens: -1, completion_tokens: '7' } },
      { inputTokens: 100, outputTokens: 0, source: 'estimated' },
    ],
    [
      '/chat/completions',
      { usage: { prompt_tokens: 1e15, completion_tokens: 7 } },
      { inputTokens: 100, outputTokens: 7, source: 'estimated' },
    ],
    [
      '/chat/completions',
      { choices: [{ message: { content: 'x'.repeat(35) } }] },
      { inputTokens: 100, outputTokens: 10, source: 'estimated' },
    ],
  ])('of %s is read from %j', (path, body, counted) => {
    const bytes = Buffer.from(JSON.stringify(body, undefined, 1));
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        expect(read(path, cutAt(bytes, places), { isStream: false })).toMatchObject(counted);
      }),
    );
  });

  it.each([
    [[{ error: { code: 429 } }]],
    [{ code: 500, msg: 'internal', success: false }],
    [{ detail: 'Model is loading.' }],
    [{ base_resp: { status_code: 1008, status_msg: 'insufficient balance' }, choices: null }],
    [{ error: 'busy' }],
  ])('is zero if the response contains only %j', (body) => {
    expect(read('/chat/completions', [Buffer.from(JSON.stringify(body))], { isStream: false })).toMatchObject({
      ...{ inputTokens: 0, outputTokens: 0, hasFailed: true },
    });
  });

  it.each([
    [{ code: 0, base_resp: { status_code: 0 }, choices: [{ message: { content: 'x' } }] }],
    [{ code: 7, detail: 'x', choices: [{ message: { content: 'x' } }] }],
  ])('is estimated if it has content: %j', (body) => {
    expect(read('/chat/completions', [Buffer.from(JSON.stringify(body))], { isStream: false })).toMatchObject({
      ...{ inputTokens: 100, hasFailed: false },
    });
  });

  it('is at least its reservation if the response continues in the background, until it is counted', () => {
    const ask = (body: object) =>
      read('/responses', [Buffer.from(JSON.stringify(body))], { isStream: false, leastOutputTokens: 40 });
    expect(ask({ status: 'queued', output: [], usage: null })).toMatchObject({ outputTokens: 40, source: 'estimated' });
    expect(ask({ status: 'completed', usage: RESPONSE_USAGE })).toMatchObject(COUNTED);
  });

  it('is estimated from the response size if it cannot be read', () => {
    const reader = createUsageReader({ path: '/messages', isStream: false, ...SIZES });
    reader.skip(Buffer.alloc(35));
    expect(reader.count(true)).toEqual({ counts: { inputTokens: 100, outputTokens: 10 }, source: 'estimated' });
    // A model with a limit of a hundred tokens wrote at most that many, even if the response contains a megabyte of
    // images.
    reader.skip(Buffer.alloc(1_000_000));
    expect(reader.count(true)).toEqual({ counts: { inputTokens: 100, outputTokens: 100 }, source: 'estimated' });
  });

  it('is searched only up to a limit', () => {
    const endless = Buffer.from(`{"x":${'['.repeat(100_000)}`);
    expect(read('/chat/completions', [endless], { isStream: false })).toMatchObject({ source: 'estimated' });
    expect(read('/messages', [Buffer.from('{"usage":{"input_tokens":')], { isStream: false })).toMatchObject({
      source: 'estimated',
    });
  });
});
