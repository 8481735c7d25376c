import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { createProviderPools, type ProviderPools } from '@steward/egress';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { passStream } from '@steward/http';
import type { ServedModel } from '@steward/models';
import { eventually } from '@steward/testing';
import { passAnswer, type AnswerEnd } from './answers/pass-answer.ts';
import { createUsageRefusals } from './answers/usage-refusals.ts';
import { createCallSignal } from './call-signal.ts';
import { callProviders } from './call-providers.ts';

let provider: FakeProvider;
const opened: ProviderPools[] = [];
beforeAll(async () => void (provider = await startFakeProvider()));
afterEach(() => provider.reset());
afterAll(async () => {
  await Promise.all(opened.map((pools) => pools.close()));
  await provider.close();
});

const never = new Promise<void>(() => undefined);
const client = new AbortController().signal;

interface Timeouts {
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
  readonly connectTimeoutMs?: number;
}

async function callModel({ connectTimeoutMs, ...agent }: Timeouts, signal = client, origin = provider.origin) {
  const pools = createProviderPools({
    insecureOrigins: [origin],
    agent,
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  });
  const body = Buffer.from('{"model":"m","stream":true}');
  const model = { alias: 'm' } as ServedModel;
  opened.push(pools);
  return callProviders({
    pools,
    chain: [model],
    admit: () => Promise.resolve(true),
    asksForUsage: false,
    usageRefusals: createUsageRefusals(),
    onUnanswered: () => undefined,
    buildRequest: () => ({ url: new URL(`${origin}/v1/chat/completions`), headers: {}, body: [body] }),
    signal,
    now: () => new Date(),
  });
}

/** Returns the end of a response that the provider of the test does not end. */
async function readToEnd(called: Awaited<ReturnType<typeof callModel>>): Promise<AnswerEnd> {
  return new Promise((resolve) => {
    const { source, through } = passAnswer({
      answer: called.answer,
      path: '/chat/completions',
      hider: undefined,
      inputBytes: 0,
      mostOutputTokens: Infinity,
      withholdsUsage: false,
      client,
      collector: undefined,
      onFirstByte: () => undefined,
      beforeEnd: () => undefined,
      onEnd: resolve,
    }).sent;
    passStream(source, new Writable({ write: (_chunk, _encoding, done) => done() }), () => undefined, through);
  });
}

describe('a provider that is silent (GW-7)', () => {
  it('while connecting is abandoned, and retried', async () => {
    let connections = 0;
    // A TLS client waits for the server's first message.
    const silent = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const called = callModel({ connectTimeoutMs: 50 }, client, origin);
    await expect(called).rejects.toMatchObject({
      code: 'provider_unreachable',
      message: expect.stringContaining('time') as string,
    });
    await eventually(() => connections === 3);
    silent.close();
  });

  it('before the response is abandoned, and not retried', async () => {
    provider.behave({ firstByteMs: 3_600_000 }, 3);
    await expect(callModel({ headersTimeout: 50 })).rejects.toMatchObject({ code: 'provider_timeout' });
    // The timeout may expire before the provider has read the request.
    await eventually(() => provider.requests.length > 0);
    expect(provider.requests).toHaveLength(1);
  });

  it('during an error response is abandoned, and retried', async () => {
    let requests = 0;
    const failing = createHttpServer((_request, response) => {
      requests += 1;
      if (requests === 3) return void response.end('{}');
      response.writeHead(500, { 'content-length': '1000' }).write('{"error":');
    }).listen(0, '127.0.0.1');
    await once(failing, 'listening');
    const origin = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
    expect(await callModel({}, client, origin)).toMatchObject({ attempts: 3, answer: { statusCode: 200 } });
    // The connection of a failed attempt is not reused; at most that of the successful response stays open, for some
    // seconds.
    const open = () => new Promise<number>((resolve) => failing.getConnections((_error, count) => resolve(count)));
    await eventually(async () => (await open()) <= 1);
    failing.closeAllConnections();
    failing.close();
  });

  it('during a response is abandoned', async () => {
    provider.behave({ waitBeforeEvent: (index) => (index === 2 ? never : undefined) });
    expect(await readToEnd(await callModel({ bodyTimeout: 50 }))).toMatchObject({ kind: 'broken' });
  });

  it('is abandoned when the whole call exceeds its time limit, even if it sends data', async () => {
    provider.behave({ waitBeforeEvent: (index) => (index === 2 ? never : undefined) });
    const ending = new AbortController();
    const called = await callModel({}, ending.signal);
    // The time limit starts only after the response began, so that a late response cannot cause the timeout.
    const whole = createCallSignal(client, 50);
    whole.signal.addEventListener('abort', () => ending.abort(whole.signal.reason));
    expect(await readToEnd(called)).toMatchObject({ kind: 'broken' });
    expect(whole.isOverTime()).toBe(true);
    whole.release();
  });
});
