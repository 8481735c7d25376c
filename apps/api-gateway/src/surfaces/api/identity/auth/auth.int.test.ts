import { startTestGateway, type TestGateway } from '../../../../testing/start-gateway.ts';

describe('authentication routes', () => {
  let gateway: TestGateway;
  let counter = 0;
  const fresh = (): { username: string; email: string; password: string } => {
    counter += 1;
    return {
      username: `person-${counter}`,
      email: `person-${counter}@example.test`,
      password: 'a long enough password',
    };
  };

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  it('registers an account with its owner but returns no token (ACC-2)', async () => {
    const { status, body } = await gateway.call('POST', '/api/v1/auth/register', {
      body: { ...fresh(), full_name: 'Dana Doe' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ username: 'person-1', full_name: 'Dana Doe', role: 'owner' });
    expect(body.permissions).toContain('manage_users');
    expect(body.permissions).not.toContain('search_session_content');
    expect(JSON.stringify(body)).not.toMatch(/password|token/);
  });

  it.each(['username', 'email', 'password'])('requires %s to register', async (field) => {
    const { [field as 'username']: _left, ...rest } = fresh();
    const { status, body } = await gateway.call('POST', '/api/v1/auth/register', { body: rest });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject({ code: 'invalid_request', field });
  });

  it('refuses a username or e-mail that is already taken, ignoring case, and names the field (ACC-2)', async () => {
    const person = fresh();
    await gateway.call('POST', '/api/v1/auth/register', { body: person });
    for (const field of ['username', 'email'] as const) {
      const twin = { ...fresh(), [field]: person[field].toUpperCase() };
      const { status, body } = await gateway.call('POST', '/api/v1/auth/register', { body: twin });
      expect([status, body.detail.code, body.detail.field]).toEqual([409, 'conflict', field]);
    }
  });

  it('refuses unknown fields: a typo must not be ignored (API-3)', async () => {
    const { status, body } = await gateway.call('POST', '/api/v1/auth/register', {
      body: { ...fresh(), fullname: 'x' },
    });
    expect([status, body.detail.field]).toEqual([422, 'fullname']);
  });

  it('logs in with username or e-mail, as a form and as JSON (ACC-8)', async () => {
    const person = fresh();
    await gateway.call('POST', '/api/v1/auth/register', { body: person });
    for (const username of [person.username, person.email.toUpperCase()]) {
      const json = await gateway.call('POST', '/api/v1/auth/token/json', {
        body: { username, password: person.password },
      });
      expect(json.status).toBe(200);
      expect(json.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
      const form = await gateway.call('POST', '/api/v1/auth/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: 'password', username, password: person.password }).toString(),
      });
      expect(form.status).toBe(200);
    }
  });

  it('returns the same response for a wrong password and an unknown user (ACC-8)', async () => {
    const person = fresh();
    await gateway.call('POST', '/api/v1/auth/register', { body: person });
    const wrong = await gateway.call('POST', '/api/v1/auth/token/json', {
      body: { username: person.username, password: 'not the password' },
    });
    const nobody = await gateway.call('POST', '/api/v1/auth/token/json', {
      body: { username: 'nobody-here', password: 'not the password' },
    });
    expect([wrong.status, nobody.status]).toEqual([401, 401]);
    expect(wrong.body.detail).toEqual(nobody.body.detail);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('slows down guessing: after the allowed number of failures, even the correct password has to wait (ACC-14)', async () => {
    const person = fresh();
    await gateway.call('POST', '/api/v1/auth/register', { body: person });
    const attempt = (password: string) =>
      gateway.call('POST', '/api/v1/auth/token/json', { body: { username: person.username, password } });
    for (let failure = 0; failure < 5; failure += 1) expect((await attempt('guess')).status).toBe(401);
    const blocked = await attempt(person.password);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('refreshes tokens, and does not accept one kind of token in place of the other (ACC-10)', async () => {
    const person = fresh();
    await gateway.call('POST', '/api/v1/auth/register', { body: person });
    const login = await gateway.call('POST', '/api/v1/auth/token/json', {
      body: { username: person.username, password: person.password },
    });
    const refreshed = await gateway.call('POST', '/api/v1/auth/refresh', {
      body: { refresh_token: login.body.refresh_token },
    });
    expect(refreshed.status).toBe(200);
    expect((await gateway.call('GET', '/api/v1/users/me', { token: refreshed.body.access_token })).status).toBe(200);
    expect((await gateway.call('GET', '/api/v1/users/me', { token: login.body.refresh_token })).status).toBe(401);
    expect(
      (await gateway.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: login.body.access_token } })).status,
    ).toBe(401);
  });

  describe('API keys', () => {
    it('work as bearer tokens, are shown once, and become invalid when revoked (ACC-23, ACC-28, API-16)', async () => {
      const { accessToken: token } = await gateway.registerAccount();
      const created = await gateway.call('POST', '/api/v1/auth/api-keys', { token, body: { name: 'ci' } });
      expect(created.status).toBe(201);
      expect(created.body.key).toMatch(/^stw_[A-Za-z0-9_-]{43}$/);
      const me = await gateway.call('GET', '/api/v1/users/me', { token: created.body.key });
      expect(me.status).toBe(200);
      const list = await gateway.call('GET', '/api/v1/auth/api-keys', { token });
      expect(list.body.items).toHaveLength(1);
      expect(JSON.stringify(list.body)).not.toContain(created.body.key);
      expect((await gateway.call('DELETE', `/api/v1/auth/api-keys/${created.body.id}`, { token })).status).toBe(204);
      expect((await gateway.call('GET', '/api/v1/users/me', { token: created.body.key })).status).toBe(401);
      expect((await gateway.call('DELETE', `/api/v1/auth/api-keys/${created.body.id}`, { token })).status).toBe(404);
    });

    it('are restricted by their scopes (ACC-24)', async () => {
      const { accessToken: token } = await gateway.registerAccount();
      const scoped = await gateway.call('POST', '/api/v1/auth/api-keys', {
        token,
        body: { name: 'reader', scopes: ['view_flows'] },
      });
      const key = scoped.body.key as string;
      expect((await gateway.call('GET', '/api/v1/flows', { token: key })).status).toBe(200);
      const refused = await gateway.call('GET', '/api/v1/users', { token: key });
      expect([refused.status, refused.body.detail.permission]).toEqual([403, 'manage_users']);
    });

    it('are not visible to another account (API-10)', async () => {
      const [first, second] = [await gateway.registerAccount(), await gateway.registerAccount()];
      const created = await gateway.call('POST', '/api/v1/auth/api-keys', {
        token: first.accessToken,
        body: { name: 'mine' },
      });
      const foreign = await gateway.call('DELETE', `/api/v1/auth/api-keys/${created.body.id}`, {
        token: second.accessToken,
      });
      const unknown = await gateway.call('DELETE', '/api/v1/auth/api-keys/0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11', {
        token: second.accessToken,
      });
      expect([foreign.status, foreign.body.detail]).toEqual([404, unknown.body.detail]);
    });

    it('cannot be created with an expiry in the past (ACC-25)', async () => {
      const { accessToken: token } = await gateway.registerAccount();
      const past = await gateway.call('POST', '/api/v1/auth/api-keys', {
        token,
        body: { name: 'old', expires_at: '2020-01-01T00:00:00Z' },
      });
      expect([past.status, past.body.detail.field]).toEqual([422, 'expires_at']);
    });
  });
});
