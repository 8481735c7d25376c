import { eventually } from '@steward/testing';
import { useModelGateway } from '../../../testing/model-gateway-tests.ts';

const gateway = useModelGateway();
const CALLS = 60;

it('a process that stops ends its calls, and records and stores each of them (GW-12)', async () => {
  const { accessToken: token, addModel } = await gateway.addAccount();
  await addModel({ alias: 'smart', provider: 'openai' });
  const twin = await gateway.people.gateway().startTwin();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  gateway.provider().behave({ waitBeforeEvent: (index) => (index === 2 ? held : undefined) }, CALLS);
  const body = JSON.stringify({ model: 'smart', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
  const calls = Array.from({ length: CALLS }, async () => {
    const response = await fetch(`${twin.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-service-session-id': 'stopping' },
      body,
    });
    return response.text();
  });
  await eventually(() => gateway.provider().requests.length === CALLS);
  const stopped = twin.close();
  release();
  for (const text of await Promise.all(calls)) expect(text).toContain('[DONE]');
  expect(await stopped).toBe(true);
  const rows = (await gateway.people.call('GET', '/usage?limit=200', token)).body.items as Record<string, unknown>[];
  expect(rows.map(({ status }) => status)).toEqual(Array(CALLS).fill('ok'));
  const timeline = `/runtime-sessions/${String(rows[0]!['runtime_session_id'])}/timeline?limit=200`;
  expect((await gateway.people.call('GET', timeline, token)).body.items).toHaveLength(CALLS);
});
