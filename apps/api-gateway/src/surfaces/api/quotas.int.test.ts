import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

const LIMIT = 3;

describe('the quota of an account', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      ACCOUNT_MAX_API_KEYS: String(LIMIT),
      ACCOUNT_MAX_ROLES: String(LIMIT),
      // The owner counts as a user, too.
      ACCOUNT_MAX_USERS: String(LIMIT + 1),
      ACCOUNT_MAX_FLOWS: String(LIMIT),
    });
  });
  afterAll(() => gateway.close());

  const KINDS: [string, string, (n: number) => object][] = [
    ['API keys', '/api/v1/auth/api-keys', (n) => ({ name: `key ${n}` })],
    ['roles', '/api/v1/roles', (n) => ({ name: `role-${n}`, permissions: [] })],
    [
      'users',
      '/api/v1/users',
      (n) => ({ username: `user-${n}-${process.pid}`, email: `user-${n}@x.test`, role: 'viewer' }),
    ],
    [
      'flows',
      '/api/v1/flows',
      (n) => ({ name: `flow ${n}`, prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } }),
    ],
  ];

  it.each(KINDS)(
    'limits %s under simultaneous requests, separately for each account (LIM-3, LIM-4, LIM-5, LIM-6)',
    async (what, path, build) => {
      const { accessToken: token } = await gateway.registerAccount();
      const answers = await Promise.all(
        Array.from({ length: LIMIT * 3 }, (_, n) => gateway.call('POST', path, { token, body: build(n) })),
      );
      const made = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 409);
      expect([made.length, refused.length]).toEqual([LIMIT, LIMIT * 2]);
      const limit = what === 'users' ? LIMIT + 1 : LIMIT;
      for (const { body } of refused) expect(body.detail).toMatchObject({ code: 'quota_reached', limit });
      const other = await gateway.registerAccount();
      expect((await gateway.call('POST', path, { token: other.accessToken, body: build(100) })).status).toBe(201);
    },
  );

  it('frees a slot when a key is revoked, and when a flow is deleted', async () => {
    const { accessToken: token } = await gateway.registerAccount();
    for (const [, path, build] of KINDS.filter(([what]) => what === 'API keys' || what === 'flows')) {
      const create = (n: number) => gateway.call('POST', path, { token, body: build(n) });
      const first = await create(0);
      for (let n = 1; n < LIMIT; n += 1) expect((await create(n)).status).toBe(201);
      expect((await create(LIMIT)).status).toBe(409);
      expect((await gateway.call('DELETE', `${path}/${first.body.id}`, { token })).status).toBe(204);
      expect((await create(LIMIT)).status).toBe(201);
    }
  });
});

describe('the quota of one user', () => {
  const USER_LIMIT = 2;
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway({ USER_MAX_API_KEYS: String(USER_LIMIT) })));
  afterAll(() => gateway.close());

  it('attributes the keys that a user’s keys created only to that user (LIM-67, ACC-44)', async () => {
    const { accessToken: token } = await gateway.registerAccount();
    const create = (bearer: string) =>
      gateway.call('POST', '/api/v1/auth/api-keys', {
        token: bearer,
        body: { name: 'key', scopes: ['manage_users', 'manage_api_keys'] },
      });
    const maker = (await create(token)).body.key as string;
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(maker)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.detail).toMatchObject({ code: 'quota_reached', limit: USER_LIMIT });
    expect(refused?.body.detail.message).toContain('USER_MAX_API_KEYS');
    const login = { username: `second-${process.pid}`, password: 'a long enough password' };
    const user = { ...login, email: `second-${process.pid}@x.test`, role: 'admin' };
    expect((await gateway.call('POST', '/api/v1/users', { token, body: user })).status).toBe(201);
    const second = await gateway.call('POST', '/api/v1/auth/token/json', { body: login });
    expect((await create(second.body.access_token)).status).toBe(201);
  });
});
