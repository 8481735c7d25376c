import { newId } from '@steward/crypto';
import { findInDatabase } from '../../../testing/find-in-database.ts';
import { usePeople } from '../../../testing/people-tests.ts';

const LOCAL = 'http://127.0.0.1:9';
const people = usePeople({ MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: LOCAL });
const { call } = people;
const PATH = '/ai-models';
/** Joined at run time, so that secret scanners do not report the test as a leak. */
const KEY = ['sk', 'model', 'aB3dE5fG7hI9jK1l'].join('-');

const FAST = { alias: 'fast', provider: 'openai', model_identifier: 'gpt-4o-mini' };
/** Sends a request that must succeed; returns the body of the response. */
async function done(method: string, path: string, token: string, body?: object) {
  const answer = await call(method, path, token, body);
  expect([answer.status < 300, answer.body.detail]).toEqual([true, undefined]);
  return answer.body;
}
const add = (token: string, more: object = {}) => done('POST', PATH, token, { ...FAST, ...more });
const refused = async (method: string, path: string, token: string, body?: object) => {
  const answer = await call(method, path, token, body);
  return [answer.status, answer.body.detail?.code, answer.body.detail?.field];
};

describe('an AI model (MOD-1)', () => {
  it('is created with its defaults, and read back as it was returned', async () => {
    const { accessToken: token } = await people.register();
    const model = await add(token);
    expect(model).toEqual({
      id: model.id,
      ...FAST,
      base_url: 'https://api.openai.com/v1',
      has_api_key: false,
      prices: { input_per_mtok_usd: 0.15, output_per_mtok_usd: 0.6, cached_input_per_mtok_usd: 0.075 },
      price_source: 'catalogue',
      max_output_tokens: null,
      fallback_model_ids: [],
      is_default: false,
      enabled: true,
      warnings: [],
      created_at: model.created_at,
      updated_at: model.created_at,
    });
    expect(await done('GET', `${PATH}/${model.id}`, token)).toEqual(model);
    expect(await done('GET', PATH, token)).toEqual({ items: [model], next_cursor: null });
  });

  it('is updated with the fields that are sent; null restores the default (MOD-2)', async () => {
    const { accessToken: token } = await people.register();
    const prices = { input_per_mtok_usd: 0.2, output_per_mtok_usd: 0.8, cached_input_per_mtok_usd: 0.000001 };
    const model = await add(token, { prices, max_output_tokens: 100 });
    expect(model).toMatchObject({ prices, price_source: 'custom', max_output_tokens: 100 });
    const patch = (body: object) => done('PATCH', `${PATH}/${model.id}`, token, body);
    expect(await patch({ alias: 'quick' })).toMatchObject({ alias: 'quick', prices, max_output_tokens: 100 });
    expect(await patch({ prices: null, max_output_tokens: null, enabled: false, is_default: true })).toMatchObject({
      price_source: 'catalogue',
      max_output_tokens: null,
      enabled: false,
      is_default: true,
    });
    expect(await patch({ model_identifier: 'our-own' })).toMatchObject({
      price_source: 'unknown',
      prices: { input_per_mtok_usd: null, output_per_mtok_usd: null, cached_input_per_mtok_usd: null },
    });
  });

  it('warns about custom prices that look like typing errors (MOD-12)', async () => {
    const { accessToken: token } = await people.register();
    const model = await add(token, { prices: { input_per_mtok_usd: 0.000001, output_per_mtok_usd: 0.6 } });
    expect(model.warnings).toEqual([
      {
        code: 'price_differs',
        field: 'prices.input_per_mtok_usd',
        message: expect.stringContaining('the catalog price is 0.15') as unknown,
      },
    ]);
  });

  it.each([
    ['alias', { alias: 'Fast' }],
    ['alias', { alias: undefined }],
    ['provider', { provider: 'acme' }],
    ['model_identifier', { model_identifier: ' ' }],
    ['api_key', { api_key: 'two\nlines' }],
    ['prices.output_per_mtok_usd', { prices: { input_per_mtok_usd: 1 } }],
    ['prices.input_per_mtok_usd', { prices: { input_per_mtok_usd: 1e-7, output_per_mtok_usd: 1 } }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['fallback_model_ids', { fallback_model_ids: [newId()] }],
    ['nope', { nope: 1 }],
  ])('is refused for an invalid %s, such as %j', async (field, fields) => {
    const { accessToken: token } = await people.register();
    expect(await refused('POST', PATH, token, { ...FAST, ...fields })).toEqual([422, 'invalid_request', field]);
    expect((await done('GET', PATH, token)).items).toEqual([]);
  });

  it('has an alias that is unique in the account (MOD-3)', async () => {
    const { accessToken: token } = await people.register();
    await add(token);
    expect(await refused('POST', PATH, token, FAST)).toEqual([409, 'conflict', 'alias']);
  });

  it('is not visible to other accounts', async () => {
    const { id } = await add((await people.register()).accessToken);
    const { accessToken: stranger } = await people.register();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
    ] as const)
      expect((await call(method, `${PATH}/${id}${path}`, stranger, body)).status).toBe(404);
    expect(await refused('POST', PATH, stranger, { ...FAST, fallback_model_ids: [id] })).toEqual([
      422,
      'invalid_request',
      'fallback_model_ids',
    ]);
  });
});

describe('the address of a provider (MOD-5)', () => {
  it.each([
    'http://api.example.com/v1',
    'https://127.0.0.1/v1',
    'https://localhost/v1',
    'https://169.254.169.254/latest',
    'https://10.0.0.7/v1',
    'https://[fd00::1]/v1',
    'https://user:pw@api.example.com/v1',
    'https://api.example.com/v1?key=1',
    'http://127.0.0.1:10/v1',
  ])('cannot be %s', async (base_url) => {
    const { accessToken: token } = await people.register();
    const { id } = await add(token);
    expect(await refused('PATCH', `${PATH}/${id}`, token, { base_url })).toEqual([422, 'invalid_base_url', 'base_url']);
  });

  it('can be an origin that the operator allowed, and is required for compatible services (MOD-4)', async () => {
    const { accessToken: token } = await people.register();
    const generic = { provider: 'generic_compatible', alias: 'own' };
    expect((await add(token, { ...generic, base_url: `${LOCAL}/v1/` })).base_url).toBe(`${LOCAL}/v1`);
    expect(await refused('POST', PATH, token, { ...FAST, ...generic, alias: 'b' })).toEqual([
      422,
      'base_url_required',
      'base_url',
    ]);
  });
});

describe('the key of a provider (MOD-6)', () => {
  it('cannot be read anywhere: not in a response and not in the database, including the audit log', async () => {
    const { accessToken: token } = await people.register();
    const model = await add(token, { api_key: KEY });
    expect(model.has_api_key).toBe(true);
    const changed = await done('PATCH', `${PATH}/${model.id}`, token, { api_key: `${KEY}2` });
    const seen = [model, changed, await done('GET', `${PATH}/${model.id}`, token), await people.readAudit(token)];
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(await findInDatabase(people.gateway().database.url, KEY)).toEqual([]);
  });

  it('is deleted by null, by an empty string, and when the model moves to another service', async () => {
    const { accessToken: token } = await people.register();
    const { id } = await add(token, { api_key: KEY });
    for (const change of [{ api_key: null }, { api_key: '' }, { base_url: 'https://other.example.com/v1' }]) {
      await done('PATCH', `${PATH}/${id}`, token, { base_url: 'https://api.openai.com/v1', api_key: KEY });
      expect((await done('PATCH', `${PATH}/${id}`, token, { alias: 'fast' })).has_api_key).toBe(true);
      expect((await done('PATCH', `${PATH}/${id}`, token, change)).has_api_key).toBe(false);
    }
  });
});

describe('a model that is in use (MOD-9)', () => {
  it('cannot be deleted while it is the fallback of another model', async () => {
    const { accessToken: token } = await people.register();
    const base = await add(token);
    const user = await add(token, { alias: 'user', fallback_model_ids: [base.id] });
    const answer = await call('DELETE', `${PATH}/${base.id}`, token);
    expect([answer.status, answer.body.detail]).toMatchObject([409, { code: 'model_in_use', used_by: ['user'] }]);
    expect((await call('PATCH', `${PATH}/${base.id}`, token, { provider: 'anthropic' })).status).toBe(409);
    await done('DELETE', `${PATH}/${user.id}`, token);
    await done('DELETE', `${PATH}/${base.id}`, token);
  });

  it('cannot be deleted or renamed while a flow names it; a flow can only name an existing model (FLOW-45)', async () => {
    const { accessToken: token } = await people.register();
    const model = await add(token);
    const flow = { name: 'nightly', prompt_template: 'x', agent_type: 'builtin', agent_config: {} };
    const unknown = [422, 'invalid_request', 'ai_model_id'];
    expect(await refused('POST', '/flows', token, { ...flow, ai_model_id: 'slow' })).toEqual(unknown);
    const { id } = await done('POST', '/flows', token, { ...flow, ai_model_id: 'fast' });
    expect(await refused('PATCH', `/flows/${id}`, token, { ai_model_id: newId() })).toEqual(unknown);
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { alias: 'quick' }],
    ] as const) {
      const answer = await call(method, `${PATH}/${model.id}`, token, body);
      expect([answer.status, answer.body.detail]).toMatchObject([409, { code: 'model_in_use', used_by: ['nightly'] }]);
    }
    await done('PATCH', `/flows/${id}`, token, { ai_model_id: model.id });
    await done('PATCH', `${PATH}/${model.id}`, token, { alias: 'quick' });
    expect((await call('DELETE', `${PATH}/${model.id}`, token)).status).toBe(409);
    await done('PATCH', `/flows/${id}`, token, { ai_model_id: null });
    await done('DELETE', `${PATH}/${model.id}`, token);
  });
});

describe('a simultaneous change of a model and a flow that names it (MOD-9)', () => {
  it('never results in a saved flow whose model has been deleted or renamed', async () => {
    const { accessToken: token } = await people.register();
    const flow = { prompt_template: 'x', agent_type: 'builtin', agent_config: {} };
    for (const change of ['DELETE', 'PATCH', 'DELETE', 'PATCH']) {
      const alias = `m-${newId()}`;
      const { id } = await add(token, { alias });
      const [changed, saved] = await Promise.all([
        call(change, `${PATH}/${id}`, token, change === 'PATCH' ? { alias: `${alias}-new` } : undefined),
        call('POST', '/flows', token, { ...flow, name: alias, ai_model_id: alias }),
      ]);
      const outcome = [changed.status < 300, saved.status];
      expect([
        [true, 422],
        [false, 201],
      ]).toContainEqual(outcome);
    }
  });
});

describe('the role of a caller of the model routes (MOD-1)', () => {
  it.each([
    ['editor', 201],
    ['executor', 403],
    ['tracker_manager', 403],
    ['viewer', 403],
  ])('lets a %s read models, and responds with %i when they add one', async (role, status) => {
    const owner = await people.register();
    const { token } = await people.add(owner.accessToken, role);
    const { id } = await add(owner.accessToken, { alias: 'theirs' });
    await done('GET', PATH, token);
    await done('GET', `${PATH}/${id}`, token);
    expect((await call('POST', PATH, token, FAST)).status).toBe(status);
  });
});

describe('the list of models (API-11)', () => {
  it('is paged, newest first, and can be filtered', async () => {
    const { accessToken: token } = await people.register();
    await add(token, { alias: 'a' });
    await add(token, { alias: 'b', provider: 'anthropic' });
    await add(token, { alias: 'c', enabled: false });
    const aliases = async (query: string) =>
      (await done('GET', `${PATH}${query}`, token)).items.map(({ alias }: { alias: string }) => alias);
    expect(await aliases('')).toEqual(['c', 'b', 'a']);
    expect(await aliases('?alias=b')).toEqual(['b']);
    expect(await aliases('?provider=anthropic')).toEqual(['b']);
    expect(await aliases('?enabled=false')).toEqual(['c']);
    const { next_cursor: cursor } = await done('GET', `${PATH}?limit=2`, token);
    expect(await aliases(`?limit=2&cursor=${cursor}`)).toEqual(['a']);
  });
});
