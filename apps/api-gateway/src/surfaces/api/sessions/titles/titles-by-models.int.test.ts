import { randomUUID } from 'node:crypto';
import { eventually } from '@steward/testing';
import { useModelGateway } from '../../../../testing/model-gateway-tests.ts';

const gateway = useModelGateway({});
const PRICES = { input_per_mtok_usd: 100, output_per_mtok_usd: 100 };
const SETTING = '/runtime-sessions/settings/titles';

/** Creates an account with a model, and a session with this question. */
async function openAccount(asked: string, title?: string) {
  const account = await gateway.addAccount();
  await account.addModel({ alias: 'namer', provider: 'openai' });
  const call = (method: string, path: string, body?: unknown) =>
    gateway.people.call(method, path, account.accessToken, body);
  const open = async (words: string, given?: string): Promise<string> => {
    const source = { session_source_type: 'x', session_source_id: randomUUID(), title: given };
    const { id } = (await call('POST', '/runtime-sessions', source)).body as { id: string };
    const messages = [{ role: 'user', content: words }];
    expect((await call('POST', `/runtime-sessions/${id}/transcript`, { messages })).status).toBe(201);
    return id;
  };
  const id = await open(asked, title);
  /** Reads the title of the session that was opened last, or of an earlier one. */
  const readTitle = async (before = 0): Promise<string | null> => {
    const { body } = await call('GET', '/runtime-sessions');
    return (body.items as { title: string | null }[])[before]?.title ?? null;
  };
  const name = (titleModel: string | null) => call('PUT', SETTING, { title_model: titleModel });
  return { account, call, id, open, name, readTitle };
}

const countAsked = (): number => gateway.provider().requests.length;

describe('a title from the model that the account configured (SESS-38)', () => {
  it('is requested once in the background after the first list, found by search, recorded, and not controlled by the session’s text', async () => {
    const { call, name, readTitle } = await openAccount('please look after the heron at the pond and tell me');
    expect((await name('namer')).body).toEqual({ title_model: 'namer', title_model_enabled: true });
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
    ['the response is empty', () => gateway.provider().behave({ text: '"" \n' })],
  ])('falls back to the rule-based title if %s, and is not immediately requested again', async (_why, spoil) => {
    const { name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    spoil();
    await readTitle();
    await eventually(async () => Promise.resolve(countAsked() === 1));
    for (let times = 0; times < 3; times += 1) expect(await readTitle()).toBe('mend the roof');
    expect(countAsked()).toBe(1);
  });

  it('is not requested if the budget of its model is used up; another model is then used only for sessions without an earlier request', async () => {
    const { account, call, open, name, readTitle } = await openAccount('mend the roof');
    await account.addModel({ alias: 'dear', provider: 'openai', prices: PRICES });
    const budget = { scope: 'account', model_alias: 'dear', period: 'daily', limit_amount: 0.01 };
    expect((await call('POST', '/budgets', budget)).status).toBe(201);
    await name('dear');
    for (let times = 0; times < 3; times += 1) expect(await readTitle()).toBe('mend the roof');
    await name('namer');
    gateway.provider().behave({ text: 'Care of the heron' });
    await open('feed the heron');
    await eventually(async () => (await readTitle()) === 'Care of the heron');
    // The provider was asked for the first title and refused, so no other one is requested within the hour.
    expect(gateway.provider().requests.map(({ body }) => String(body).includes('feed the heron'))).toEqual([true]);
    expect(await readTitle(1)).toBe('mend the roof');
  });

  it('is not requested while the agents of the account are stopped, but is requested afterwards (KILL-2)', async () => {
    const { call, name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    gateway.provider().behave({ text: 'Roof works' });
    await call('PUT', '/account/kill-switch', { engaged: true });
    for (let times = 0; times < 3; times += 1) expect(await readTitle()).toBe('mend the roof');
    await call('PUT', '/account/kill-switch', { engaged: false });
    await eventually(async () => (await readTitle()) === 'Roof works');
    expect(countAsked()).toBe(1);
  });

  it('is requested again when the words of the session change', async () => {
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

  it('never replaces a given title, and is not requested without the setting', async () => {
    const given = await openAccount('mend the roof', 'My roof');
    await given.name('namer');
    expect([await given.readTitle(), await given.readTitle()]).toEqual(['My roof', 'My roof']);
    const none = await openAccount('mend the roof');
    await none.name('namer');
    expect((await none.name(null)).body).toEqual({ title_model: null, title_model_enabled: null });
    expect([await none.readTitle(), await none.readTitle()]).toEqual(['mend the roof', 'mend the roof']);
    expect(countAsked()).toBe(0);
  });

  it('is replaced by a title that is given during the request', async () => {
    const { call, id, name, readTitle } = await openAccount('mend the roof');
    await name('namer');
    gateway.provider().behave({ text: 'Roof works', firstByteMs: 500 });
    await readTitle();
    await call('PATCH', `/runtime-sessions/${id}`, { title: 'My roof' });
    await eventually(async () => ((await call('GET', '/usage')).body.items as unknown[]).length === 1);
    expect(await readTitle()).toBe('My roof');
  });

  it('can use only an enabled model of the account that generates text', async () => {
    const { account, call, name, readTitle } = await openAccount('mend the roof');
    await account.addModel({ alias: 'off', provider: 'openai', enabled: false });
    await account.addModel({ alias: 'vectors', provider: 'openai', model_identifier: 'text-embedding-3-small' });
    const refusals = await Promise.all(['nobody', randomUUID(), 'off', 'vectors'].map((alias) => name(alias)));
    expect(refusals.map(({ status, body }) => [status, body.detail.field])).toEqual(
      Array.from({ length: 4 }, () => [422, 'title_model']),
    );
    expect(refusals.map(({ body }) => String(body.detail.message))).toEqual([
      ...[expect.stringContaining('not the id or alias'), expect.stringContaining('not the id')],
      ...[expect.stringContaining('is disabled'), expect.stringContaining('embedding model')],
    ]);
    expect([(await call('GET', SETTING)).body, await readTitle()]).toEqual([
      { title_model: null, title_model_enabled: null },
      'mend the roof',
    ]);
  });

  it('is not requested from a disabled model until it is enabled again', async () => {
    const { account, call, open, name, readTitle } = await openAccount('mend the roof');
    const id = await account.addModel({ alias: 'moody', provider: 'openai' });
    await name('moody');
    expect((await call('PATCH', `/ai-models/${id}`, { enabled: false })).status).toBe(200);
    expect((await call('GET', SETTING)).body).toEqual({ title_model: 'moody', title_model_enabled: false });
    gateway.provider().behave({ text: 'Care of the heron' }, 2);
    for (let times = 0; times < 3; times += 1) expect(await readTitle()).toBe('mend the roof');
    await call('PATCH', `/ai-models/${id}`, { enabled: true });
    await open('feed the heron');
    await eventually(async () =>
      [await readTitle(), await readTitle(1)].every((title) => title === 'Care of the heron'),
    );
    expect(countAsked()).toBe(2);
  });
});
