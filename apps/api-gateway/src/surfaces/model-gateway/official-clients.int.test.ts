import Anthropic from '@anthropic-ai/sdk';
import { eventually } from '@steward/testing';
import OpenAI from 'openai';
import { useModelGateway, type Clients } from '../../testing/model-gateway-tests.ts';

const gateway = useModelGateway();

const MESSAGES = [{ role: 'user' as const, content: 'Hello, žluťoučký kůň' }];
const SCHEMA = { type: 'object' as const, properties: { city: { type: 'string' } } };
const WEATHER = { name: 'weather', description: 'of a city', parameters: SCHEMA };
const CHAT_TOOLS = [{ type: 'function' as const, function: WEATHER }];
const RESPONSE_TOOLS = [{ type: 'function' as const, strict: false, ...WEATHER }];
const MESSAGE_TOOLS = [{ name: 'weather', input_schema: SCHEMA }];

async function collect<T>(stream: Promise<AsyncIterable<T>>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of await stream) events.push(event);
  return events;
}

/** Usage parameter, which the gateway adds; the other chunks of a chat then have `usage: null`. */
const COUNTING = '{"stream_options":{"include_usage":true},';

function withoutNulls(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  return result.map((event: { usage?: unknown }) => {
    const { usage, ...rest } = event;
    return usage === null ? rest : event;
  });
}

type Ask = (clients: Clients, models: { readonly chat: string; readonly claude: string }) => Promise<unknown>;

/** Calls from the documentation of both clients. */
const ASKED: readonly (readonly [string, Ask])[] = [
  ['chat', ({ openai }, { chat: model }) => openai.chat.completions.create({ model, messages: MESSAGES })],
  [
    'a chat stream',
    ({ openai }, { chat: model }) =>
      collect(openai.chat.completions.create({ model, messages: MESSAGES, stream: true })),
  ],
  [
    'a chat stream with the stream helper, with usage',
    ({ openai }, { chat: model }) =>
      openai.chat.completions
        .stream({ model, messages: MESSAGES, stream_options: { include_usage: true } })
        .finalChatCompletion(),
  ],
  [
    'a tool call in a chat',
    ({ openai }, { chat: model }) => openai.chat.completions.create({ model, messages: MESSAGES, tools: CHAT_TOOLS }),
  ],
  [
    'a tool call in a chat that runs in between',
    ({ openai }, { chat: model }) => {
      const tool = { type: 'function' as const, function: { ...WEATHER, function: (asked: string) => asked } };
      return openai.chat.completions
        .runTools({ model, messages: MESSAGES, stream: true, tools: [tool] })
        .finalContent();
    },
  ],
  ['a response', ({ openai }, { chat: model }) => openai.responses.create({ model, input: 'Hello' })],
  [
    'a streamed response',
    ({ openai }, { chat: model }) => collect(openai.responses.create({ model, input: 'Hello', stream: true })),
  ],
  [
    'a tool call in a response, with the stream helper',
    ({ openai }, { chat: model }) =>
      openai.responses.stream({ model, input: 'Hello', tools: RESPONSE_TOOLS }).finalResponse(),
  ],
  ['vectors', ({ openai }, { chat: model }) => openai.embeddings.create({ model, input: ['one', 'other'] })],
  [
    'a message',
    ({ anthropic }, { claude: model }) => anthropic.messages.create({ model, messages: MESSAGES, max_tokens: 9 }),
  ],
  [
    'a streamed message',
    ({ anthropic }, { claude: model }) =>
      collect(anthropic.messages.create({ model, messages: MESSAGES, max_tokens: 9, stream: true })),
  ],
  [
    'a tool call in a message, with the stream helper',
    ({ anthropic }, { claude: model }) =>
      anthropic.messages.stream({ model, messages: MESSAGES, max_tokens: 9, tools: MESSAGE_TOOLS }).finalMessage(),
  ],
  [
    'a token count',
    ({ anthropic }, { claude: model }) => anthropic.messages.countTokens({ model, messages: MESSAGES }),
  ],
];

describe('the official clients of OpenAI and Anthropic (GW-1)', () => {
  it.each(ASKED)('receive the same responses through the gateway as from the provider: %s', async (_what, ask) => {
    const direct = await ask(gateway.connectDirectly(), { chat: 'fake-large', claude: 'fake-large' });
    const passed = await ask(gateway.connect(), { chat: 'smart', claude: 'claude' });
    expect(withoutNulls(passed)).toEqual(withoutNulls(direct));
    // The bodies are identical, except for the name of the model and the usage parameter.
    const bodies = gateway.provider().requests.map(({ body }) => body.toString().replace(COUNTING, '{'));
    const half = bodies.length / 2;
    expect(bodies.slice(half)).toEqual(bodies.slice(0, half));
  });

  it('list the models that can be called through the corresponding API of the gateway (GW-9)', async () => {
    const { openai, anthropic } = gateway.connect();
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['smart']);
    expect((await anthropic.models.list()).data.map(({ id }) => id)).toEqual(['claude']);
  });

  it('list the newest models first, and return by alias only models that can be called (GW-9)', async () => {
    const account = await gateway.addAccount();
    await account.addModel({ alias: 'first', provider: 'openai' });
    await account.addModel({ alias: 'team/fast:1', provider: 'openai' });
    await account.addModel({ alias: 'careful', provider: 'anthropic' });
    await account.addModel({ alias: 'off', provider: 'openai', enabled: false });
    const { openai, anthropic } = gateway.connect(account.accessToken);
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['team/fast:1', 'first']);
    expect(await openai.models.retrieve('team/fast:1')).toEqual((await openai.models.list()).data[0]);
    expect(await anthropic.models.retrieve('careful')).toMatchObject({ id: 'careful', type: 'model' });
    for (const name of ['careful', 'off', 'none', 'smart']) {
      const error: unknown = await openai.models.retrieve(name).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error).toMatchObject({ code: 'model_not_found' });
    }
  });

  it.each([
    [400, OpenAI.BadRequestError, Anthropic.BadRequestError],
    [401, OpenAI.AuthenticationError, Anthropic.AuthenticationError],
    [403, OpenAI.PermissionDeniedError, Anthropic.PermissionDeniedError],
    [422, OpenAI.UnprocessableEntityError, Anthropic.UnprocessableEntityError],
  ])('raise the provider’s error unchanged if it responds with %s', async (status, ofOpenAi, ofAnthropic) => {
    gateway.provider().behave({ status }, 2);
    const { openai, anthropic } = gateway.connect();
    const chat = openai.chat.completions.create({ model: 'smart', messages: MESSAGES });
    const error: unknown = await chat.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ofOpenAi);
    expect((error as Error).message).toContain(`The provider responds with ${status}.`);
    const message = anthropic.messages.create({ model: 'claude', messages: MESSAGES, max_tokens: 9 });
    await expect(message).rejects.toBeInstanceOf(ofAnthropic);
  });

  it('raise their typed errors for refusals of the gateway (GW-3)', async () => {
    const { openai, anthropic } = gateway.connect();
    await expect(openai.chat.completions.create({ model: 'none', messages: MESSAGES })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      type: 'invalid_request_error',
    });
    await expect(openai.chat.completions.create({ model: 'claude', messages: MESSAGES })).rejects.toMatchObject({
      status: 400,
      code: 'wrong_provider',
      message: expect.stringContaining('Call it under /anthropic/v1.'),
    });
    const other = anthropic.messages.create({ model: 'smart', messages: MESSAGES, max_tokens: 9 });
    await expect(other).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Call it under /openai/v1.'),
    });
    const asked = anthropic.messages.create({ model: 'none', messages: MESSAGES, max_tokens: 9 });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.NotFoundError);
    expect(error).toMatchObject({ error: { type: 'error', error: { code: 'model_not_found' } } });
    const stranger = gateway.connect('nobody');
    await expect(stranger.openai.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(stranger.anthropic.models.list()).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    expect(gateway.provider().requests).toEqual([]);
  });

  it('cancel the provider’s call when they disconnect (GW-6)', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    gateway.provider().behave({ waitBeforeEvent: (index) => (index === 2 ? held : undefined) });
    const { openai } = gateway.connect();
    const stream = await openai.chat.completions.create({ model: 'smart', messages: MESSAGES, stream: true });
    // A received chunk is available although nothing follows it.
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    await eventually(() => gateway.provider().requests[0]?.state === 'aborted');
    release();
  });
});
