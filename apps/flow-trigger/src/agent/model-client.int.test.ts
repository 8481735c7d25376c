import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { preparePackedBombs, QUICK_BOMB_KINDS, startBombServer, type BombServer } from '@steward/testing';
import { openModel } from './model-client.ts';

let bombs: BombServer;
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
});
afterAll(() => bombs.close());

describe('a malicious model (LIM-81)', () => {
  it.each(QUICK_BOMB_KINDS)('fails only its run: %s', async (kind) => {
    const model = openModel({ alias: 'm', apiKey: 'a-token', baseUrl: bombs.urlOf(kind) });
    const asked = model.call({ messages: [], tools: [], signal: new AbortController().signal });
    await expect(asked).rejects.toMatchObject({ name: 'RunFailure' });
    await model.close();
  });
});

describe('a model call (EXEC-15)', () => {
  const answer = { choices: [{ message: { content: 'done' }, finish_reason: 'stop' }] };

  /** Returns the outcome of a call, and the requests that it sent. */
  async function ask(respond: (response: ServerResponse, count: number) => void) {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => respond(response, requests.push(request)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const model = openModel({ alias: 'm', apiKey: 'a-token', baseUrl: `http://127.0.0.1:${port}/v1` });
    const outcome = await model
      .call({ messages: [], tools: [], signal: new AbortController().signal })
      .catch((error: Error) => error.message);
    await model.close();
    server.closeAllConnections();
    server.close();
    return { outcome, requests };
  }

  it.each([408, 409, 429, 500, 502, 503, 504])(
    'is repeated after status %i, after the delay that the provider requests',
    async (status) => {
      const { outcome, requests } = await ask((response, count) => {
        if (count < 3) response.writeHead(status, { 'retry-after-ms': '5' }).end();
        else response.end(JSON.stringify(answer));
      });
      expect(outcome).toMatchObject({ content: 'done', finishReason: 'stop', toolCalls: [] });
      expect(requests).toHaveLength(3);
    },
  );

  it('is made at most four times', async () => {
    const { outcome, requests } = await ask((response) => response.writeHead(503, { 'retry-after-ms': '5' }).end());
    expect([outcome, requests.length]).toEqual(['The model "m" responded with status 503.', 4]);
  });

  it.each([
    ['a refusal', 403, {}],
    ['a wait of an hour requested by the gateway', 429, { 'x-should-retry': 'false' }],
    ['a redirect', 307, { location: 'http://127.0.0.1:1/' }],
  ])('is not repeated after %s', async (_what, status, headers) => {
    const { outcome, requests } = await ask((response) => response.writeHead(status, headers).end());
    expect([outcome, requests.length]).toEqual([`The model "m" responded with status ${status}.`, 1]);
  });

  it.each([
    ['announces a length above the limit', { 'content-length': String(17 * 1024 * 1024) }, '', 'larger than 16 MiB'],
    ['is too large', {}, ' '.repeat(17 * 1024 * 1024), 'larger than 16 MiB'],
    ['has too many values', {}, `[${'0,'.repeat(200_000)}0]`, 'more than 200000 members and entries'],
    ['is nested too deep', {}, '['.repeat(300), 'deeper than 200 levels'],
    ['is compressed', { 'content-encoding': 'gzip' }, gzipSync(JSON.stringify(answer)), 'compressed'],
  ])('is not repeated for a response that %s', async (_what, headers, body, reason) => {
    const { outcome, requests } = await ask((response) => response.writeHead(200, headers).end(body));
    expect([outcome, requests.length]).toEqual([expect.stringContaining(reason), 1]);
  });

  it('accepts a response without a JSON content type, and requests it uncompressed, without headers that describe the machine', async () => {
    const { outcome, requests } = await ask((response) => response.end(JSON.stringify(answer)));
    expect(outcome).toMatchObject({ content: 'done' });
    const { headers, url } = requests[0]!;
    expect(url).toBe('/v1/chat/completions');
    expect(headers).toMatchObject({ authorization: 'Bearer a-token', 'accept-encoding': 'identity' });
    expect(
      Object.keys(headers).filter((name) => /stainless-(os|arch|runtime)|organization|project/.test(name)),
    ).toEqual([]);
  });

  it('does not reveal a key that a provider quotes, even if the quote is truncated', async () => {
    const quoted = `${'x'.repeat(497)}a-token`;
    const { outcome } = await ask((response) => response.writeHead(401).end(JSON.stringify({ error: quoted })));
    expect(outcome).toBe(`The model "m" responded with status 401: ${'x'.repeat(497)}[re`);
  });
});
