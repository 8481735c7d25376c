import { randomUUID } from 'node:crypto';
import { eventually } from '@steward/testing';
import { useModelGateway } from '../../../../testing/model-gateway-tests.ts';

const gateway = useModelGateway();
const SETTING = '/runtime-sessions/settings/titles';

/** An account with a model, and a session with this question. */
async function openAccount(asked: string, title?: string) {
  const account = await gateway.addAccount();
  await account.addModel({ alias: 'namer', provider: 'openai' });
  const call = (method: string, path: string, body?: unknown) =>
    gateway.people.call(method, path, account.accessToken, body);
  const opened = await call('POST', '/runtime-sessions', {
    session_source_type: 'x',
    session_source_id: randomUUID(),
    title,
  });
  const { id } = opened.body as { id: string };
  const messages = [{ role: 'user', content: asked }];
  expect((await call('POST', `/runtime-sessions/${id}/transcript`, { messages })).status).toBe(201);
  const readTitle = async (): Promise<string | null> => {
    const { body } = await call('GET', '/runtime-sessions');
    return (body.items as { title: string | null }[])[0]?.title ?? null;
  };
  const name = (titleModel: string | null) => call('PUT', SETTING, { title_model: titleModel });
  return { call, id, name, readTitle };
}

const countAsked = (): number => gateway.provider().requests.length;

describe('a title by the model that the account names (SESS-38)', () => {
  it('is asked behind the first list, once, found by the search, booked, and given no instruction of the session', async () => {
    const { call, name, readTitle } = await openAccount('please look after the heron at the pond and tell me');
    expect((await name('namer')).body).toEqual({ title_model: 'namer' });
    gateway.provider().behave({ text: '"Care of the kingfisher"\nand more' });
    expect(await readTitle()).toBe('please look after the heron at the pond and tell me');
    await eventually(async () => (await readTitle()) === 'Care of the kingfisher');
    expect(await readTitle()).toBe('Care of the kingfisher');
    expect(countAsked()).toBe(1);
    const { messages } = JSON.parse(String(gateway.provider().requests[0]?.body)) as {
      messages: { content: string }[];
    };
    expect(messages[1]?.content).toContain('look after the heron');
    expect((await call('POST', '/runtime-sessions/search', { query: 'kingfisher' })).body.results).toHaveLength(1);
    await eventually(async () => ((await call('GET', '/usage')).body.items as unknown[]).length === 1);
    expect((await call('GET', '/usage')).body.items).toMatchObject([{ endpoint: 'session-title', status: 'ok' }]);
  });

  it.each<[string, () => void]>([
    ['the provider fails', () => gateway.provider().behave({ status: 500 })],
    ['the answer says nothing', () => gateway.provider().behave({ text: '"" \n' })],
  ])('is that of the rule where %s, and not asked for again at once', async (_why, spoil) => {
    const { name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    spoil();
    await readTitle();
    await eventually(async () => Promise.resolve(countAsked() === 1));
    for (let times = 0; times < 3; times += 1) expect(await readTitle()).toBe('mend the roof');
    expect(countAsked()).toBe(1);
  });

  it('is not asked where a budget is used up', async () => {
    const { call, name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    const budget = { scope: 'account', period: 'daily', limit_amount: 0, action_on_exceed: 'block' };
    const made = await call('POST', '/budgets', budget);
    if (made.status !== 201)
      await call('POST', '/budgets', { scope: 'account', period: 'daily', limit_amount: 0.000001 });
    for (let times = 0; times < 3; times += 1) expect(await readTitle()).toBe('mend the roof');
    expect(countAsked()).toBe(0);
  });

  it('is not asked while the agents of the account are stopped, and afterwards (KILL-2)', async () => {
    const { call, name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    gateway.provider().behave({ text: 'Roof works' });
    await call('PUT', '/account/kill-switch', { engaged: true });
    for (let times = 0; times < 3; times += 1) expect(await readTitle()).toBe('mend the roof');
    await call('PUT', '/account/kill-switch', { engaged: false });
    await eventually(async () => (await readTitle()) === 'Roof works');
    expect(countAsked()).toBe(1);
  });

  it('is asked again at once for other words', async () => {
    const { call, id, name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    gateway.provider().behave({ status: 500 });
    await readTitle();
    await eventually(async () => Promise.resolve(countAsked() === 1));
    gateway.provider().behave({ text: 'Feeding of the heron' });
    const earlier = { role: 'user', content: 'feed the heron', occurred_at: '2020-01-01T00:00:00Z' };
    expect((await call('POST', `/runtime-sessions/${id}/transcript`, { messages: [earlier] })).status).toBe(201);
    await eventually(async () => (await readTitle()) === 'Feeding of the heron');
    expect(countAsked()).toBe(2);
  });

  it('never replaces one that somebody gave, nor is asked for without the setting', async () => {
    const given = await openAccount('mend the roof', 'My roof');
    await given.name('namer');
    expect([await given.readTitle(), await given.readTitle()]).toEqual(['My roof', 'My roof']);
    const none = await openAccount('mend the roof');
    await none.name('namer');
    expect((await none.name(null)).body).toEqual({ title_model: null });
    expect([await none.readTitle(), await none.readTitle()]).toEqual(['mend the roof', 'mend the roof']);
    expect(countAsked()).toBe(0);
  });

  it('gives way to a title that is given while it is asked', async () => {
    const { call, id, name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    gateway.provider().behave({ text: 'Roof works', firstByteMs: 500 });
    await readTitle();
    await call('PATCH', `/runtime-sessions/${id}`, { title: 'My roof' });
    await eventually(async () => ((await call('GET', '/usage')).body.items as unknown[]).length === 1);
    expect(await readTitle()).toBe('My roof');
  });

  it('names a model of the account alone', async () => {
    const { name } = await openAccount('mend the roof');
    expect((await name('nobody')).status).toBe(422);
    expect((await name(randomUUID())).status).toBe(422);
  });
});
