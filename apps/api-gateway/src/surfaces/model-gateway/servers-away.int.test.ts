import { eventually } from '@steward/testing';
import { useModelGateway } from '../../testing/model-gateway-tests.ts';

const gateway = useModelGateway({});
const CHAT = '/openai/v1/chat/completions';
const ask = (model: string, more: object = {}) => JSON.stringify({ model, messages: [], max_tokens: 9, ...more });

/** Makes the database unreachable for all processes of the service until it is restored. */
async function takeDatabase(): Promise<() => Promise<void>> {
  const { query } = gateway.people;
  const name = new URL(gateway.people.gateway().database.url).pathname.slice(1);
  await query(`alter database ${name} connection limit 0`);
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return async () => void (await query(`alter database ${name} connection limit -1`));
}

it('a call is completed and recorded although the broker is unavailable (GW-12)', async () => {
  const account = await gateway.addAccount();
  await account.addModel({ alias: 'smart', provider: 'openai' });
  const { broker } = gateway.people.gateway();
  await broker.kill();
  try {
    const response = await gateway.post(CHAT, ask('smart'), { authorization: `Bearer ${account.accessToken}` });
    expect(response.status).toBe(200);
    await response.text();
    expect(await gateway.readUsage(1, account.accessToken)).toMatchObject([{ status: 'ok', usage_source: 'provider' }]);
  } finally {
    await broker.restart();
  }
});

it('without a database, a new call is refused in the format of its API and not sent; a running call is completed, and is recorded later (GW-3, GW-12)', async () => {
  const account = await gateway.addAccount();
  await account.addModel({ alias: 'smart', provider: 'openai' });
  const bearer = { authorization: `Bearer ${account.accessToken}` };
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  gateway.provider().behave({ waitBeforeEvent: (index) => (index === 2 ? held : undefined) });
  const underWay = await gateway.post(CHAT, ask('smart', { stream: true }), bearer);
  const restoreDatabase = await takeDatabase();
  try {
    const chat = await gateway.post(CHAT, ask('smart'), bearer);
    expect([chat.status, await chat.json()]).toMatchObject([
      503,
      { error: { code: 'unavailable', type: 'server_error' } },
    ]);
    const message = await gateway.post('/anthropic/v1/messages', ask('claude'), bearer);
    expect([message.status, await message.json()]).toMatchObject([
      503,
      { type: 'error', error: { type: 'api_error' } },
    ]);
    release();
    expect(await underWay.text()).toContain('[DONE]');
    expect(gateway.provider().requests).toHaveLength(1);
  } finally {
    await restoreDatabase();
  }
  await eventually(async () => (await gateway.people.call('GET', '/usage', account.accessToken)).status === 200);
  expect(await gateway.readUsage(1, account.accessToken)).toMatchObject([{ status: 'ok', usage_source: 'provider' }]);
});
