import { TIMEOUT_MS, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { createOutput } from '../output.ts';
import { createAnonymousClient, createKeyClient } from './api-client.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a command that is part of a trace (EXEC-22)', () => {
  let service: HttpReceiver;
  beforeEach(async () => {
    service = await startHttpReceiver((_request, response) => void response.writeHead(200).end('{}'));
  });
  afterEach(() => service.close());

  async function call(env: Readonly<Record<string, string>>): Promise<unknown[]> {
    const sink = { write: () => true };
    const output = createOutput({ stdout: sink, stderr: sink, env: {} });
    const context = { env, output, signal: AbortSignal.timeout(TIMEOUT_MS) };
    await createKeyClient(context, service.url, 'stw_a-key-of-a-test').call('GET', '/api/v1/users/me');
    await createAnonymousClient(context, service.url).call('POST', '/webhooks/flows/a/b', { body: {} });
    return service.requests.map(({ headers }) => headers.traceparent);
  }

  it('sends it with every request', async () => {
    expect(await call({ TRACEPARENT })).toEqual([TRACEPARENT, TRACEPARENT]);
  });

  it.each(['', 'none', `${TRACEPARENT}\nx-injected: 1`])(
    'sends nothing for a variable that is not a valid trace context: %j',
    async (text) => {
      expect(await call({ TRACEPARENT: text })).toEqual([undefined, undefined]);
      expect(await call({})).toEqual([undefined, undefined, undefined, undefined]);
    },
  );
});
