import { useModelGateway } from '../../../testing/model-gateway-tests.ts';

const gateway = useModelGateway();
const CHAT = '/openai/v1/chat/completions';
const ask = (more: object = {}) => JSON.stringify({ model: 'smart', messages: [], stream: true, ...more });
const COUNTING = { stream_options: { include_usage: true } };
const readSent = () => JSON.parse(gateway.provider().requests.at(-1)!.body.toString()) as Record<string, unknown>;
const isUsage = (event: string): boolean => event.includes('"choices":[]');

describe('the usage of a chat stream (GW-10)', () => {
  it.each([{}, { pieceBytes: 1, crlf: true, comments: true }, { pieceBytes: 7 }])(
    'is requested by the gateway, but not returned to clients that did not request it: %j',
    async (framing) => {
      gateway.provider().behave({ framing }, 2);
      const asked = await (await gateway.post(CHAT, ask({ ...COUNTING, model: 'smart' }))).text();
      const passed = await (await gateway.post(CHAT, ask())).text();
      expect(readSent()).toMatchObject(COUNTING);
      const end = framing.crlf === true ? '\r\n\r\n' : '\n\n';
      const [counted, ...others] = asked.split(end).filter(isUsage);
      expect(others).toEqual([]);
      // Only the event with the usage is missing.
      expect(passed).toBe(asked.replace(`${counted}${end}`, ''));
    },
  );

  it('is removed from streams, which therefore have no content length, and is not requested without streaming', async () => {
    const streamed = await gateway.post(CHAT, ask());
    expect(streamed.headers.has('content-length')).toBe(false);
    await streamed.text();
    await (await gateway.post(CHAT, ask({ stream: false }))).text();
    expect(readSent()).not.toHaveProperty('stream_options');
  });

  it('is read and removed even if the provider compresses its response without being asked to', async () => {
    const account = await gateway.addAccount();
    await account.addModel({ alias: 'smart', provider: 'openai' });
    const bearer = { authorization: `Bearer ${account.accessToken}` };
    const plain = await (await gateway.post(CHAT, ask(), bearer)).text();
    gateway.provider().behave({ isPacked: true }, 2);
    const packed = await gateway.post(CHAT, ask(), bearer);
    expect(packed.headers.has('content-encoding')).toBe(false);
    expect(await packed.text()).toBe(plain);
    await (await gateway.post(CHAT, ask({ stream: false }), bearer)).text();
    const [unary, stream, direct] = await gateway.readUsage(3, account.accessToken);
    expect(stream).toMatchObject({ usage_source: 'provider', cost_usd: direct!['cost_usd'] });
    expect(unary).toMatchObject({ usage_source: 'provider', output_tokens: direct!['output_tokens'] });
  });

  it('is not requested from an API that always sends it', async () => {
    await (await gateway.post('/openai/v1/responses', ask())).text();
    expect(readSent()).not.toHaveProperty('stream_options');
    await (await gateway.post('/anthropic/v1/messages', ask({ model: 'claude' }))).text();
    expect(readSent()).not.toHaveProperty('stream_options');
  });

  it('is not requested again from a provider that refuses the option: the client receives its stream', async () => {
    await gateway.addModel({ alias: 'old', provider: 'openai', model_identifier: 'fake-old' });
    gateway.provider().behave({ refusesStreamOptions: true }, 3);
    // A provider that refused once is not called the next time.
    for (const attempts of ['2', '1']) {
      const passed = await gateway.post(CHAT, ask({ model: 'old' }));
      expect([passed.status, passed.headers.get('x-service-attempts')]).toEqual([200, attempts]);
      expect(await passed.text()).toContain('[DONE]');
      expect(readSent()).not.toHaveProperty('stream_options');
    }
  });

  it('is requested in later calls after a refusal caused by an option that the client sent', async () => {
    await gateway.addModel({ alias: 'strict', provider: 'openai', model_identifier: 'fake-strict' });
    gateway.provider().behave({ refusesStreamOptions: true }, 2);
    const refused = await gateway.post(CHAT, ask({ model: 'strict', stream_options: { unknown: 1 } }));
    expect([refused.status, refused.headers.get('x-service-attempts')]).toEqual([400, '2']);
    await (await gateway.post(CHAT, ask({ model: 'strict' }))).text();
    expect(readSent()).toMatchObject(COUNTING);
  });

  it('does not cause a retry if the client requested it, or if something else was refused', async () => {
    gateway.provider().behave({ refusesStreamOptions: true });
    const asked = await gateway.post(CHAT, ask(COUNTING));
    expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining('stream_options')]);
    gateway.provider().behave({ status: 400 });
    const refused = await gateway.post(CHAT, ask());
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('The provider responds with 400.'),
    ]);
    expect(gateway.provider().requests).toHaveLength(2);
  });
});
