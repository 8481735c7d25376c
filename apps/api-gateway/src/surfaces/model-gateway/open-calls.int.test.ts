import { eventually } from '@steward/testing';
import { useModelGateway } from '../../testing/model-gateway-tests.ts';

const gateway = useModelGateway({ ACCOUNT_MAX_MODEL_CALLS: '1' });

describe.each([
  ['/openai/v1/chat/completions', 'smart'],
  ['/anthropic/v1/messages', 'claude'],
])('open model calls of an account at %s', (path, model) => {
  const ask = (signal?: AbortSignal) =>
    gateway.post(path, JSON.stringify({ model, messages: [], stream: true, max_tokens: 9 }), {}, signal);

  it('are refused in the provider’s format above their limit, with Retry-After, and without a call to the provider (LIM-66)', async () => {
    const never = new Promise<void>(() => undefined);
    gateway.provider().behave({ waitBeforeEvent: (index) => (index === 1 ? never : undefined) });
    const leaving = new AbortController();
    const stream = await ask(leaving.signal);
    expect(stream.status).toBe(200);

    const refused = await ask();
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(gateway.provider().requests).toHaveLength(1);

    leaving.abort();
    await stream.text().catch(() => undefined);
    // A call whose client disconnected releases its slot, and so does one that ended or failed.
    await eventually(async () => {
      const response = await ask();
      await response.text();
      return response.status === 200;
    });
    gateway.provider().behave({ status: 400 });
    await eventually(async () => (await ask()).status === 400);
    await eventually(async () => (await ask()).status === 200);
  });
});
