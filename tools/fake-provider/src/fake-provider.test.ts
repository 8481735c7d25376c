import Anthropic from '@anthropic-ai/sdk';
import { eventually } from '@steward/testing';
import OpenAI from 'openai';
import { startFakeProvider, type FakeProvider } from './start-fake-provider.ts';

let provider: FakeProvider;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  provider = await startFakeProvider({ apiKey: 'key' });
  openai = new OpenAI({ baseURL: `${provider.origin}/v1`, apiKey: 'key', maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: provider.origin, apiKey: 'key', maxRetries: 0 });
});
afterAll(() => provider.close());
afterEach(() => provider.reset());

const CHAT = { model: 'fake-large', messages: [{ role: 'user' as const, content: 'Hello' }] };
const MESSAGE = { ...CHAT, max_tokens: 100 };
const SCHEMA = { type: 'object' as const, properties: { city: { type: 'string' } } };
const WEATHER = { name: 'weather', description: 'of a city', parameters: SCHEMA };

async function streamRaw(path = '/v1/chat/completions'): Promise<string> {
  const response = await fetch(provider.origin + path, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'x-api-key': 'key' },
    body: JSON.stringify({ ...MESSAGE, stream: true }),
  });
  return response.text();
}

describe('OpenAI at the fake provider', () => {
  it('returns the same response with and without streaming, with usage on request', async () => {
    const unary = await openai.chat.completions.create(CHAT);
    const stream = openai.chat.completions.stream({ ...CHAT, stream_options: { include_usage: true } });
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]!.message.content).toBe(unary.choices[0]!.message.content);
    expect(streamed.usage!.completion_tokens).toBe(unary.usage!.completion_tokens);
    expect(await streamRaw()).not.toContain('"usage"');
  });

  it('calls a tool, and responds with text after receiving its result', async () => {
    const runner = openai.chat.completions.runTools({
      ...CHAT,
      stream: true,
      tools: [{ type: 'function', function: { ...WEATHER, function: (asked: string) => asked } }],
    });
    expect(await runner.finalContent()).toContain('žluťoučký');
    expect((await runner.finalFunctionToolCall())?.arguments).toBe('{"city":"Praha","ticket":9007199254740993}');
  });

  it('returns the same response of the Responses API with and without streaming, and calls a tool', async () => {
    const asked = { model: 'fake-large', input: 'Hello' };
    const unary = await openai.responses.create(asked);
    const streamed = await openai.responses.stream(asked).finalResponse();
    expect(streamed.output_text).toBe(unary.output_text);
    expect(streamed.usage!.output_tokens).toBe(unary.usage!.output_tokens);
    const tools = [{ type: 'function' as const, strict: false, ...WEATHER }];
    const called = await openai.responses.stream({ ...asked, tools }).finalResponse();
    expect(called.output).toEqual([expect.objectContaining({ type: 'function_call', name: 'weather' })]);
  });

  it('returns vectors as numbers and as base64, and lists models', async () => {
    const input = ['one', 'other one'];
    const [plain, packed] = await Promise.all(
      [{ encoding_format: 'float' as const }, {}].map((more) =>
        openai.embeddings.create({ model: 'fake-small', input, ...more }),
      ),
    );
    expect(plain!.data.map((one) => one.embedding)).toEqual(packed!.data.map((one) => one.embedding));
    expect((await openai.models.list()).data.map((model) => model.id)).toEqual(['fake-large', 'fake-small']);
  });
});

describe('Anthropic at the fake provider', () => {
  it('returns the same response with and without streaming, with the final count last', async () => {
    const unary = await anthropic.messages.create(MESSAGE);
    const streamed = await anthropic.messages.stream(MESSAGE).finalMessage();
    expect(streamed.content).toEqual(unary.content);
    expect(streamed.usage.output_tokens).toBe(unary.usage.output_tokens);
  });

  it('calls a tool, counts tokens and lists models', async () => {
    const tools = [{ name: 'weather', input_schema: SCHEMA }];
    const called = await anthropic.messages.stream({ ...MESSAGE, tools }).finalMessage();
    expect(called.content).toEqual([expect.objectContaining({ type: 'tool_use', name: 'weather' })]);
    expect((await anthropic.messages.countTokens(CHAT)).input_tokens).toBeGreaterThan(0);
    expect((await anthropic.models.list()).data).toHaveLength(2);
  });
});

describe('a failing fake provider', () => {
  it.each([
    [401, OpenAI.AuthenticationError, Anthropic.AuthenticationError],
    [404, OpenAI.NotFoundError, Anthropic.NotFoundError],
    [429, OpenAI.RateLimitError, Anthropic.RateLimitError],
    [500, OpenAI.InternalServerError, Anthropic.InternalServerError],
    [529, OpenAI.InternalServerError, Anthropic.InternalServerError],
  ])('responds with %s so that both clients raise the corresponding error', async (status, ofOpenai, ofAnthropic) => {
    provider.behave({ status, retryAfter: '1' }, 2);
    await expect(openai.chat.completions.create(CHAT)).rejects.toBeInstanceOf(ofOpenai);
    const error: unknown = await anthropic.messages.create(MESSAGE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ofAnthropic);
    expect(error).toHaveProperty('requestID', 'req_fake');
    await expect(openai.chat.completions.create(CHAT)).resolves.toBeDefined();
  });

  it.each([
    ['before the first byte', { reset: true }],
    ['in the middle of a stream', { cutAfterEvents: 3 }],
  ])('resets the connection %s', async (_place, behaviour) => {
    provider.behave(behaviour);
    await expect(streamRaw()).rejects.toThrow();
    expect(provider.requests.map((request) => request.state)).toEqual(['cut']);
  });

  it('ends a stream with an error event', async () => {
    provider.behave({ errorAfterEvents: 4 });
    await expect(anthropic.messages.stream(MESSAGE).finalMessage()).rejects.toThrow('overloaded_error');
  });

  it('refuses a call without its key, and follows commands from other processes', async () => {
    const stranger = new OpenAI({ baseURL: `${provider.origin}/v1`, apiKey: 'other', maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const body = JSON.stringify({ behaviour: { status: 503 }, times: 2 });
    await fetch(`${provider.origin}/behaviour`, { method: 'PUT', body });
    await expect(openai.models.list()).rejects.toMatchObject({ status: 503 });
    await fetch(`${provider.origin}/behaviour`, { method: 'DELETE' });
    expect((await openai.models.list()).data).toHaveLength(2);
  });
});

describe('a stream of the fake provider', () => {
  it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
    'is the same in chunks of one byte, with CRLF and comments: %s',
    async (path) => {
      const plain = await streamRaw(path);
      provider.behave({ framing: { pieceBytes: 1, crlf: true, comments: true } });
      const odd = await streamRaw(path);
      expect(odd).not.toBe(plain);
      expect(odd.replaceAll('\r\n', '\n').replaceAll(': keep-alive\n\n', '')).toBe(plain);
    },
  );

  it('waits for a slow reader instead of buffering', async () => {
    const size = 64 * 1024 * 1024;
    provider.behave({ streamBytes: size });
    const stream = await openai.chat.completions.create({ ...CHAT, stream: true });
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    const request = provider.requests[0]!;
    await eventually(() => request.waitsForReader > 0);
    expect(request.sentBytes).toBeLessThan(size);
    let characters = 0;
    for await (const chunk of { [Symbol.asyncIterator]: () => reader })
      characters += chunk.choices[0]?.delta.content?.length ?? 0;
    expect(characters).toBe(size);
  });

  it('detects that its reader has disconnected', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    provider.behave({ waitBeforeEvent: (index) => (index === 2 ? held : undefined) });
    const stream = await openai.chat.completions.create({ ...CHAT, stream: true });
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    await eventually(() => provider.requests[0]!.state === 'aborted');
    release();
  });
});
