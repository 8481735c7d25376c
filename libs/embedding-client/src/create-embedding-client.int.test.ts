import { startHttpReceiver, type HttpReceiver, type Respond } from '@steward/testing';
import { createEmbeddingClient, type EmbeddingClientOptions } from './create-embedding-client.ts';
import type { EmbeddingCall, EmbeddingClient } from './embedding-client.ts';

const KEY = 'sk-secret-0123456789abcdef';
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function openProvider(respond: Respond): Promise<HttpReceiver> {
  const provider = await startHttpReceiver(respond);
  opened.push(provider);
  return provider;
}

function openClient(options: Partial<EmbeddingClientOptions>): EmbeddingClient {
  const client = createEmbeddingClient({ insecureOrigins: [], allowedPrivateCidrs: [], ...options });
  opened.push(client);
  return client;
}

/** Makes one call to a provider that sends this response. */
async function embed(respond: Respond, call: Partial<EmbeddingCall> = {}) {
  const provider = await openProvider(respond);
  const client = openClient({ insecureOrigins: [provider.url] });
  const ask = () =>
    client.embed({
      baseUrl: `${provider.url}/v1`,
      apiKey: KEY,
      model: 'm',
      inputs: ['one'],
      timeoutMs: 10_000,
      ...call,
    });
  return { outcome: await ask(), ask, provider };
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const item = (index: number, embedding: unknown) => ({ object: 'embedding', index, embedding });
const one = { data: [item(0, [0.5, 0.25])], usage: { prompt_tokens: 3 } };
const ONE = { kind: 'embedded', vectors: [Float32Array.of(0.5, 0.25)], promptTokens: 3 };

describe('a provider call', () => {
  it('is one POST with model, texts and key, and requests base64 (EMB-30)', async () => {
    const { outcome, provider } = await embed(answering(200, one), { inputs: ['a \ud800 b'] });
    expect(outcome).toEqual(ONE);
    const [request] = provider.requests;
    expect([request?.method, request?.path, request?.headers.authorization]).toEqual([
      'POST',
      '/v1/embeddings',
      `Bearer ${KEY}`,
    ]);
    const body: unknown = JSON.parse(request?.body.toString() ?? '');
    expect(body).toEqual({ model: 'm', input: ['a \ufffd b'], encoding_format: 'base64' });
  });

  it('sends no authorization without a key', async () => {
    const { provider } = await embed(answering(200, one), { apiKey: undefined });
    expect(provider.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('returns vectors in the order of the texts (EMB-34)', async () => {
    const encoded = Buffer.from(Float32Array.of(1, 0).buffer).toString('base64');
    const { outcome } = await embed(answering(200, { data: [item(1, [0, 1]), item(0, encoded)] }), {
      inputs: ['one', 'two'],
    });
    expect(outcome).toMatchObject({ vectors: [Float32Array.of(1, 0), Float32Array.of(0, 1)], promptTokens: undefined });
  });

  it.each<[string, unknown]>([
    ['two vectors for one text', { data: [item(0, [1]), item(1, [1])] }],
    ['zeros', { data: [item(0, [0, 0])] }],
    ['a page', '<html></html>'],
  ])('treats %s as a wrong setting (EMB-34)', async (_name, body) => {
    expect((await embed(answering(200, body))).outcome).toMatchObject({ kind: 'misconfigured', status: 200 });
  });

  it.each<[number, Record<string, string>, unknown]>([
    [401, {}, { kind: 'misconfigured', status: 401, detail: 'HTTP 401 (denied)' }],
    [404, {}, { kind: 'misconfigured', status: 404, detail: 'HTTP 404 (denied)' }],
    [422, {}, { kind: 'refused', status: 422, detail: 'HTTP 422 (denied)' }],
    [429, { 'retry-after': '2' }, { kind: 'rate_limited', retryAfterMs: 2000 }],
    [429, {}, { kind: 'rate_limited', retryAfterMs: undefined }],
    [503, { 'retry-after': '2' }, { kind: 'rate_limited', retryAfterMs: 2000 }],
    [500, {}, { kind: 'unavailable', detail: 'HTTP 500 (denied)' }],
  ])('reports the meaning of %i with %j, and no word of the answer (EMB-37)', async (status, headers, outcome) => {
    const body = { error: { code: 'denied', message: `no: ${KEY}` } };
    expect((await embed(answering(status, body, headers))).outcome).toEqual(outcome);
  });

  it('retries without the base64 encoding if that is refused, and remembers it (EMB-36)', async () => {
    const { outcome, ask, provider } = await embed((request, response) => {
      const isRefused = request.body.includes('encoding_format');
      response
        .writeHead(isRefused ? 400 : 200)
        .end(JSON.stringify(isRefused ? { error: { message: 'unknown field "encoding_format"' } } : one));
    });
    expect(outcome).toEqual(ONE);
    expect(provider.requests).toHaveLength(2);
    expect(await ask()).toEqual(ONE);
    expect(provider.requests).toHaveLength(3);
  });

  it('does not retry more than once, and does not treat a text that is refused either way as a refused encoding', async () => {
    const { outcome, ask, provider } = await embed(answering(400, 'invalid: encoding_format'));
    expect(outcome).toEqual({ kind: 'refused', status: 400, detail: 'HTTP 400' });
    expect(provider.requests).toHaveLength(2);
    await ask();
    expect(provider.requests.filter(({ body }) => body.includes('encoding_format'))).toHaveLength(2);
  });
});

describe('a call without a response', () => {
  it('ends at its time limit, before or while the response is received (EMB-33)', async () => {
    const late = { kind: 'unavailable', detail: 'no response within 0.2 s', mayBeBilled: true };
    const { outcome } = await embed(() => undefined, { timeoutMs: 200 });
    expect(outcome).toEqual(late);
    const dripping: Respond = (_request, response) => {
      response.writeHead(200).write('{"data":[');
    };
    expect((await embed(dripping, { timeoutMs: 200 })).outcome).toEqual(late);
  });

  it('ends when the caller aborts it', async () => {
    const giveUp = new AbortController();
    const { outcome } = await embed(() => giveUp.abort(), { signal: giveUp.signal });
    expect(outcome).toEqual({ kind: 'unavailable', detail: 'the call was abandoned', mayBeBilled: true });
  });

  it('is aborted if the response is longer than any list of vectors (EMB-33)', async () => {
    let isClosed: Promise<void> | undefined;
    const { outcome } = await embed((_request, response) => {
      isClosed = new Promise((resolve) => void response.once('close', resolve));
      const write = (): void => {
        while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
      };
      response.writeHead(200).on('drain', write);
      write();
    });
    expect(outcome).toEqual({
      kind: 'misconfigured',
      status: 200,
      detail: expect.stringMatching(/larger than \d+ KiB/) as unknown,
    });
    await isClosed;
  });

  it('is unavailable if the connection breaks or is refused', async () => {
    const { outcome } = await embed((_request, response) => void response.destroy());
    expect(outcome).toEqual({
      kind: 'unavailable',
      detail: 'the connection was closed before a response arrived',
      mayBeBilled: true,
    });
    const cut: Respond = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"data":');
      response.flushHeaders();
      setTimeout(() => response.destroy(), 20);
    };
    expect((await embed(cut)).outcome.kind).toBe('unavailable');
    const gone = await startHttpReceiver();
    await gone.close();
    const client = openClient({ insecureOrigins: [gone.url] });
    const call = { baseUrl: gone.url, apiKey: KEY, model: 'm', inputs: ['one'], timeoutMs: 10_000 };
    expect(await client.embed(call)).toEqual({ kind: 'unavailable', detail: 'the connection was refused' });
  });

  it.each([`two\nlines`, 'caf\u00e9', 'with space', ''])('is not made with the invalid key %j', async (apiKey) => {
    const { outcome, provider } = await embed(answering(200, one), { apiKey });
    expect(outcome).toEqual({
      kind: 'misconfigured',
      status: undefined,
      detail: 'the key cannot be sent in a header',
    });
    expect(provider.requests).toHaveLength(0);
  });
});
