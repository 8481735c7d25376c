import { listSystemRolePermissions, SYSTEM_ROLES } from '@steward/contracts';
import { startTestGateway, type TestGateway } from '../../../../testing/start-gateway.ts';

describe('users, roles and the audit log', () => {
  let gateway: TestGateway;
  let counter = 0;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  /** Adds another user to the account, and logs the user in. */
  async function addUser(ownerToken: string, role: string): Promise<{ id: string; token: string; status: number }> {
    counter += 1;
    const login = { username: `member-${counter}`, password: 'a long enough password' };
    const created = await gateway.call('POST', '/api/v1/users', {
      token: ownerToken,
      body: { ...login, email: `member-${counter}@example.test`, role },
    });
    const token = await gateway.call('POST', '/api/v1/auth/token/json', { body: login });
    return { id: created.body.id, token: token.body.access_token, status: created.status };
  }

  it.each(SYSTEM_ROLES)(
    '%s has exactly the permissions defined in the contract, without the enterprise ones (ACC-20, ACC-21, ACC-22)',
    async (role) => {
      const { accessToken } = await gateway.registerAccount();
      const member = await addUser(accessToken, role);
      const me = await gateway.call('GET', '/api/v1/users/me', { token: member.token });
      expect(me.body.permissions).toEqual(
        listSystemRolePermissions(role).filter((permission) => permission !== 'search_session_content'),
      );
    },
  );

  it('users are found by part of their name or address, ignoring case, only in their own account (ACC-20)', async () => {
    const { accessToken, username } = await gateway.registerAccount();
    const { id } = await addUser(accessToken, 'viewer');
    const find = async (query: string) => {
      const { body } = await gateway.call('GET', `/api/v1/users?query=${encodeURIComponent(query)}`, {
        token: accessToken,
      });
      return (body.items as { id: string; username: string }[]).map((user) => user.id);
    };
    expect(await find(`Member-${counter}`)).toEqual([id]);
    expect(await find(`MEMBER-${counter}@`)).toEqual([id]);
    expect(await find('@EXAMPLE.test')).toHaveLength(2);
    expect(await find(username)).toHaveLength(1);
    expect(await find('member_')).toEqual([]);
  });

  it('a role change takes effect on the next request (ACC-16)', async () => {
    const { accessToken } = await gateway.registerAccount();
    const member = await addUser(accessToken, 'viewer');
    expect((await gateway.call('GET', '/api/v1/audit-log', { token: member.token })).status).toBe(403);
    await gateway.call('PATCH', `/api/v1/users/${member.id}`, { token: accessToken, body: { role: 'analyst' } });
    expect((await gateway.call('GET', '/api/v1/audit-log', { token: member.token })).status).toBe(200);
  });

  it('a deactivated user loses access immediately, even with old tokens (ACC-19)', async () => {
    const { accessToken } = await gateway.registerAccount();
    const member = await addUser(accessToken, 'viewer');
    for (const active of [false, true]) {
      await gateway.call('PATCH', `/api/v1/users/${member.id}`, { token: accessToken, body: { is_active: active } });
      expect((await gateway.call('GET', '/api/v1/users/me', { token: member.token })).status).toBe(401);
    }
  });

  it('the last active owner cannot be removed (ACC-18)', async () => {
    const owner = await gateway.registerAccount();
    for (const body of [{ role: 'viewer' }, { is_active: false }]) {
      const refused = await gateway.call('PATCH', `/api/v1/users/${owner.userId}`, { token: owner.accessToken, body });
      expect([refused.status, refused.body.detail.code]).toEqual([409, 'conflict']);
    }
    await addUser(owner.accessToken, 'owner');
    expect(
      (
        await gateway.call('PATCH', `/api/v1/users/${owner.userId}`, {
          token: owner.accessToken,
          body: { role: 'viewer' },
        })
      ).status,
    ).toBe(200);
  });

  it('nobody can grant more permissions than they have (ACC-15, ACC-17)', async () => {
    const { accessToken } = await gateway.registerAccount();
    const admin = await addUser(accessToken, 'admin');
    expect((await addUser(admin.token, 'owner')).status).toBe(403);
    const managers = await gateway.call('POST', '/api/v1/roles', {
      token: accessToken,
      body: { name: 'people managers', permissions: ['manage_users'] },
    });
    expect(managers.status).toBe(201);
    const manager = await addUser(accessToken, 'people managers');
    const refused = await gateway.call('POST', '/api/v1/roles', {
      token: manager.token,
      body: { name: 'flow runners', permissions: ['execute_flows'] },
    });
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'execute_flows']);
  });

  it('custom roles belong to their account, and have unique names (ACC-15)', async () => {
    const [first, second] = [await gateway.registerAccount(), await gateway.registerAccount()];
    const body = { name: 'Auditors', permissions: ['view_audit_logs'] };
    expect((await gateway.call('POST', '/api/v1/roles', { token: first.accessToken, body })).body).toMatchObject({
      name: 'auditors',
      is_system: false,
    });
    for (const name of ['AUDITORS', 'owner']) {
      expect(
        (await gateway.call('POST', '/api/v1/roles', { token: first.accessToken, body: { ...body, name } })).status,
      ).toBe(409);
    }
    expect((await gateway.call('GET', '/api/v1/roles', { token: second.accessToken })).body.items).toHaveLength(
      SYSTEM_ROLES.length,
    );
    expect((await addUser(second.accessToken, 'auditors')).status).toBe(422);
    expect(
      (
        await gateway.call('POST', '/api/v1/roles', {
          token: first.accessToken,
          body: { name: 'x', permissions: ['fly'] },
        })
      ).status,
    ).toBe(422);
  });

  it('a user of another account is not found (API-10)', async () => {
    const [first, second] = [await gateway.registerAccount(), await gateway.registerAccount()];
    const foreign = await gateway.call('PATCH', `/api/v1/users/${first.userId}`, {
      token: second.accessToken,
      body: { is_active: false },
    });
    expect(foreign.status).toBe(404);
    const list = await gateway.call('GET', '/api/v1/users', { token: second.accessToken });
    expect(list.body.items.map((user: { id: string }) => user.id)).toEqual([second.userId]);
  });

  it('the audit log shows who did what, with filters and in pages, newest first (ACC-33, ACC-34)', async () => {
    const person = { username: 'registered', password: 'a long enough password' };
    const { body: owner } = await gateway.call('POST', '/api/v1/auth/register', {
      body: { ...person, email: 'registered@example.test' },
    });
    const login = await gateway.call('POST', '/api/v1/auth/token/json', { body: person });
    const token = login.body.access_token;
    await addUser(token, 'viewer');
    const all = (await gateway.call('GET', '/api/v1/audit-log', { token })).body.items;
    expect(
      all.map((entry: { action: string; resource_type: string }) => `${entry.action} ${entry.resource_type}`),
    ).toEqual(['login user', 'create user', 'login user', 'register account']);
    expect(Object.keys(all[1]).sort()).toEqual([
      'action',
      'actor',
      'details',
      'id',
      'occurred_at',
      'resource_id',
      'resource_type',
      'source',
      'status',
    ]);
    expect(all[1].actor).toEqual({ kind: 'user', id: owner.id });
    const logins = await gateway.call('GET', '/api/v1/audit-log?action=login&resource_type=user&status=success', {
      token,
    });
    expect(logins.body.items).toHaveLength(2);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await gateway.call('GET', `/api/v1/audit-log?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`, {
        token,
      });
      seen.push(...page.body.items.map((entry: { id: string }) => entry.id));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(all.map((entry: { id: string }) => entry.id));
    expect(
      (await gateway.call('GET', `/api/v1/audit-log?until=${all.at(-1).occurred_at}`, { token })).body.items,
    ).toEqual([]);
    expect(JSON.stringify(all)).not.toMatch(/password/);
  });
});

describe('search in the enterprise edition', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ SERVICE_EDITION: 'enterprise' });
  });
  afterAll(() => gateway.close());

  it('also requires search_session_content, refuses before the query runs, and records the refusal in the audit log (ACC-22)', async () => {
    const { accessToken } = await gateway.registerAccount();
    const login = { username: 'the-editor', password: 'a long enough password' };
    await gateway.call('POST', '/api/v1/users', {
      token: accessToken,
      body: { ...login, email: 'editor@example.test', role: 'editor' },
    });
    const editor = (await gateway.call('POST', '/api/v1/auth/token/json', { body: login })).body.access_token;
    const body = { query: 'anything' };
    expect((await gateway.call('POST', '/api/v1/runtime-sessions/search', { token: accessToken, body })).status).toBe(
      200,
    );
    const refused = await gateway.call('POST', '/api/v1/runtime-sessions/search', { token: editor, body });
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'search_session_content']);
    const audit = await gateway.call('GET', '/api/v1/audit-log?resource_type=session_search', { token: accessToken });
    expect(
      audit.body.items.map(
        (entry: { status: string; source: string; action: string }) =>
          `${entry.action} ${entry.source} ${entry.status}`,
      ),
    ).toEqual(['query console denied', 'query console success']);
    expect(JSON.stringify(audit.body)).not.toContain('anything');
  });
});
