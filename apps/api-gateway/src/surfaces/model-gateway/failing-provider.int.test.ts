import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { usePeople } from '../../testing/people-tests.ts';

type Answer = readonly [status: number, body: string, headers?: Readonly<Record<string, string>>];
const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream' };
const WELL: Answer = [
  200,
  JSON.stringify({ choices: [{ message: { content: 'ok' } }], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  JSON_TYPE,
];
const error = (type: string): string => JSON.stringify({ type: 'error', error: { type, message: 'Overloaded' } });

/** Responses of the provider to calls of a model, in order; the last one is repeated. */
const answers = new Map<string, Answer[]>();
const environment: Record<string, string> = { ACCOUNT_RATE_PER_MINUTE: '1000000' };
let provider: HttpReceiver;
beforeAll(async () => {
  provider = await startHttpReceiver(({ body }, response) => {
    const { model } = JSON.parse(body.toString()) as { model: string };
    const left = answers.get(model) ?? [WELL];
    const [status, text, headers = {}] = (left.length > 1 ? left.shift() : left[0]) as Answer;
    response.writeHead(status, headers).end(text);
  });
  environment['MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS'] = provider.url;
});
afterAll(() => provider.close());
const people = usePeople(environment);

/** Calls a model, with a fallback, whose provider returns these responses. */
async function ask(first: readonly Answer[], fields: object = {}, hasFallback = true) {
  const { accessToken: token } = await people.register();
  const add = async (alias: string, more: object = {}) => {
    const model = { alias, provider: 'openai', base_url: provider.url, model_identifier: alias, ...more };
    const { status, body } = await people.call('POST', '/ai-models', token, model);
    expect(status).toBe(201);
    return (body as { id: string }).id;
  };
  answers.clear();
  answers.set('first', [...first]);
  const fallback_model_ids = hasFallback ? [await add('spare')] : [];
  await add('first', { fallback_model_ids });
  const response = await fetch(`${people.gateway().url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
    body: JSON.stringify({ model: 'first', messages: [{ role: 'user', content: 'x' }], ...fields }),
  });
  return { response, text: await response.text() };
}

describe('a failing provider (GW-8)', () => {
  it.each<[string, Answer, number]>([
    ['its proxy returns 520', [520, '', {}], 4],
    ['its proxy returns 522', [522, '', {}], 4],
    ['its proxy returns 524', [524, '', {}], 4],
    ['it is overloaded', [529, error('overloaded_error'), JSON_TYPE], 4],
    ['its key was revoked', [401, error('authentication_error'), JSON_TYPE], 2],
    ['its key lacks a permission', [403, error('permission_error'), JSON_TYPE], 2],
    ['the model does not exist', [404, error('not_found_error'), JSON_TYPE], 2],
    ['it forbids a retry', [429, '{}', { ...JSON_TYPE, 'x-should-retry': 'false' }], 2],
    ['its weekly limit is used up', [429, '{}', { ...JSON_TYPE, 'anthropic-ratelimit-unified-status': 'rejected' }], 2],
    ['its quota is used up', [429, JSON.stringify({ error: { code: 'insufficient_quota' } }), JSON_TYPE], 2],
    ['a stream begins with an error', [200, `event: error\ndata: ${error('overloaded_error')}\n\n`, EVENTS], 4],
    [
      'a chat stream begins with an error',
      [200, `data: {"error":{"type":"server_error","message":"x"}}\n\n`, EVENTS],
      4,
    ],
    ['a stream consists of an error', [200, `data: ${error('api_error')}`, EVENTS], 4],
    [
      'a stream begins with an error with a numeric code',
      [200, `data: {"error":{"message":"x","code":502}}\n\n`, EVENTS],
      4,
    ],
    ['a stream begins with an error that is a string', [200, `data: {"error":"the model is loading"}\n\n`, EVENTS], 2],
    ['a stream begins with an error named by its event', [200, 'event: error\ndata: {"message":"x"}\n\n', EVENTS], 2],
    ['a stream begins with an error without a code', [200, 'data: { "error": {"message":"x"} }\n\n', EVENTS], 2],
    ['a response is an error', [200, '{\n  "error": {"message":"x","code":"server_error"}\n}', JSON_TYPE], 4],
    ['the response to a streaming call is an error', [200, '{"error":{"message":"x"}}', JSON_TYPE], 2],
    ['its credit is used up', [402, '{"error":{"message":"Insufficient Balance"}}', JSON_TYPE], 2],
    [
      'its error about credit is an invalid request',
      [
        400,
        '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low."}}',
        JSON_TYPE,
      ],
      2,
    ],
    ['the model was retired', [410, '{}', JSON_TYPE], 2],
    ['it has no capacity', [498, '{}', JSON_TYPE], 4],
  ])('is replaced by the fallback when %s', async (_what, answer, attempts) => {
    const { response } = await ask([answer], { stream: answer[2] === EVENTS });
    expect([response.status, response.headers.get('x-service-model')]).toEqual([200, 'spare']);
    expect(response.headers.get('x-service-attempts')).toBe(String(attempts));
  });

  it.each<[string, Answer]>([
    ['a refusal', [400, error('invalid_request_error'), JSON_TYPE]],
    [
      'a stream that begins with a client error',
      [200, `event: error\ndata: ${error('invalid_request_error')}\n\n`, EVENTS],
    ],
    ['a stream that begins with a client error code', [200, 'data: {"error":{"code":400,"message":"x"}}\n\n', EVENTS]],
    ['a response that is a client error', [200, '{"error":{"code":"context_length_exceeded"}}', JSON_TYPE]],
    ['an error that was charged for', [200, '{"error":{"code":502},"usage":{"prompt_tokens":9}}', JSON_TYPE]],
    ['a response without an error', [200, '{"error":null,"choices":[]}', JSON_TYPE]],
    [
      'a stream that fails later',
      [200, `data: {"choices":[]}\n\nevent: error\ndata: ${error('api_error')}\n\n`, EVENTS],
    ],
    [
      'a stream that sends data before it fails',
      [200, `: ping\n\nevent: error\ndata: ${error('api_error')}\n\n`, EVENTS],
    ],
  ])('is passed on unchanged with %s', async (_what, [status, body, headers = {}]) => {
    const { response, text } = await ask([[status, body, headers]], { stream: headers === EVENTS });
    expect([response.status, response.headers.get('x-service-model')]).toEqual([status, 'first']);
    expect(text).toBe(body);
  });

  it('is passed on in full, including its rate limit headers, if no fallback responds', async () => {
    const limits = {
      'retry-after-ms': '60000',
      'x-ratelimit-remaining-tokens': '0',
      'anthropic-ratelimit-unified-status': 'allowed',
    };
    const { response, text } = await ask([[429, '{"error":{}}', { ...JSON_TYPE, ...limits }]], {}, false);
    expect([response.status, text]).toEqual([429, '{"error":{}}']);
    for (const [name, value] of Object.entries(limits)) expect(response.headers.get(name)).toBe(value);
    expect(response.headers.get('x-service-attempts')).toBe('1');
  });

  it('is retried after the requested time, to the millisecond', async () => {
    const startedAt = performance.now();
    const { response } = await ask([[429, '{}', { ...JSON_TYPE, 'retry-after-ms': '700' }], WELL], {}, false);
    expect([response.status, performance.now() - startedAt >= 700]).toEqual([200, true]);
  });

  it('that sends usage in a final event without a blank line: clients that did not request the usage do not receive it (GW-10)', async () => {
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}';
    const { text } = await ask(
      [[200, `data: {"choices":[{"delta":{"content":"x"}}]}\n\n${usage}\n`, EVENTS]],
      { stream: true },
      false,
    );
    expect(text).toContain('"content":"x"');
    expect(text).not.toContain('usage');
  });
});
