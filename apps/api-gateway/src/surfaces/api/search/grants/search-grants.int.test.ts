import { newId } from '@steward/crypto';
import { registerAgent } from '../../../../testing/register-agent.ts';
import { usePeople } from '../../../../testing/people-tests.ts';

const PATH = '/session-search/grants';
const people = usePeople({ SERVICE_EDITION: 'enterprise' });
const { call } = people;

const grant = (subject_type: string, subject_id: string, session_search_account_scope = true) => ({
  subject_type,
  subject_id,
  session_search_account_scope,
});
const createKey = async (token: string, more: object = {}) =>
  (await call('POST', '/auth/api-keys', token, { name: 'a key', ...more })).body as { id: string; key: string };

describe('the grants of an account (SRCH-60)', () => {
  it('are empty at first, then as saved, and can be sent back as they were read', async () => {
    const { accessToken: token, accountId } = await people.register();
    expect((await call('GET', PATH, token)).body).toEqual({ grants: [] });
    const key = await createKey(token);
    const grants = [grant('account', accountId, false), grant('managed_agent', 'agent-1'), grant('api_key', key.id)];
    const put = await call('PUT', PATH, token, { grants });
    expect([put.status, put.body]).toEqual([200, { grants: [...grants].reverse() }]);
    expect((await call('GET', PATH, token)).body).toEqual(put.body);
    expect((await call('DELETE', `/auth/api-keys/${key.id}`, token)).status).toBe(204);
    expect(await call('PUT', PATH, token, put.body)).toMatchObject({ status: 200, body: put.body });
    expect((await call('PUT', PATH, token, { grants: [] })).body).toEqual({ grants: [] });
    // A key that was removed from the list is unknown, like any other revoked one.
    expect((await call('PUT', PATH, token, put.body)).status).toBe(422);
  });

  it('accept the ids of the key and the account in upper case', async () => {
    const { accessToken: token, accountId } = await people.register();
    const key = await createKey(token);
    const grants = [grant('api_key', key.id.toUpperCase()), grant('account', accountId.toUpperCase())];
    const put = await call('PUT', PATH, token, { grants });
    expect(put.body).toEqual({ grants: [grant('api_key', key.id), grant('account', accountId)] });
  });

  it('refuse an unknown subject with the same response, whether it belongs to another account, is revoked or never existed', async () => {
    const [own, other] = [await people.register(), await people.register()];
    const [foreign, gone] = [await createKey(other.accessToken), await createKey(own.accessToken)];
    await call('DELETE', `/auth/api-keys/${gone.id}`, own.accessToken);
    const good = grant('managed_agent', 'agent-1');
    for (const bad of [
      grant('api_key', foreign.id),
      grant('api_key', gone.id),
      grant('api_key', newId()),
      grant('api_key', 'no uuid'),
      grant('account', other.accountId),
      grant('account', 'x'),
    ]) {
      const refused = await call('PUT', PATH, own.accessToken, { grants: [good, bad] });
      expect([bad, refused.status, refused.body.detail]).toEqual([
        bad,
        422,
        {
          code: 'invalid_request',
          field: 'grants.1.subject_id',
          message: '"grants.1.subject_id" does not exist in the account.',
        },
      ]);
    }
    expect((await call('GET', PATH, own.accessToken)).body).toEqual({ grants: [] });
  });

  it('refuse an invalid list, naming the field (LIM-39)', async () => {
    const { accessToken: token } = await people.register();
    const twice = [grant('managed_agent', 'a'), grant('managed_agent', 'a', false)];
    const many = Array.from({ length: 1001 }, (_, n) => grant('managed_agent', `a${n}`));
    for (const [body, field] of [
      [{}, 'grants'],
      [{ grants: [], more: 1 }, 'more'],
      [{ grants: {} }, 'grants'],
      [{ grants: [grant('flow', 'a')] }, 'grants.0.subject_type'],
      [{ grants: [grant('managed_agent', '')] }, 'grants.0.subject_id'],
      [{ grants: [{ subject_type: 'managed_agent', subject_id: 'a' }] }, 'grants.0.session_search_account_scope'],
      [
        { grants: [{ ...grant('managed_agent', 'a'), session_search_account_scope: 'yes' }] },
        'grants.0.session_search_account_scope',
      ],
      [{ grants: twice }, 'grants.1.subject_id'],
      [{ grants: many }, 'grants'],
    ] as const) {
      const refused = await call('PUT', PATH, token, body);
      expect([field, refused.status, refused.body.detail.field]).toEqual([field, 422, field]);
    }
    expect((await call('PUT', PATH, token, { grants: many.slice(1) })).body.grants).toHaveLength(1000);
  });

  it('belong to one account', async () => {
    const [one, other] = [await people.register(), await people.register()];
    await call('PUT', PATH, one.accessToken, { grants: [grant('managed_agent', 'shared name')] });
    await call('PUT', PATH, other.accessToken, { grants: [] });
    expect((await call('GET', PATH, one.accessToken)).body.grants).toHaveLength(1);
    expect((await call('GET', PATH, other.accessToken)).body.grants).toEqual([]);
  });
});

describe('the permission to write grants (SRCH-61)', () => {
  it.each([
    ['admin', undefined],
    ['editor', 'search_session_content'],
    ['executor', 'manage_agents'],
    ['analyst', 'manage_agents'],
    ['viewer', 'manage_agents'],
    ['tracker_manager', 'manage_agents'],
  ])('is missing in some roles: %s lacks %s', async (role, permission) => {
    const owner = await people.register();
    const { token } = await people.add(owner.accessToken, role);
    for (const method of ['GET', 'PUT']) {
      const answer = await call(method, PATH, token, method === 'PUT' ? { grants: [] } : undefined);
      expect([method, answer.status, answer.body.detail?.permission]).toEqual([
        method,
        permission === undefined ? 200 : 403,
        permission,
      ]);
    }
  });

  it('is never given to credentials that act as an agent; otherwise they could grant access to themselves', async () => {
    const { accessToken: token } = await people.register();
    const id = await registerAgent(people.gateway(), token);
    const agent = await createKey(token, { runtime_principal: { type: 'managed_agent', id } });
    const refused = await call('PUT', PATH, agent.key, { grants: [grant('managed_agent', id)] });
    expect([refused.status, refused.body.detail.code]).toEqual([403, 'permission_denied']);
    expect((await call('GET', PATH, token)).body).toEqual({ grants: [] });
    expect((await call('PUT', PATH, (await createKey(token)).key, { grants: [] })).status).toBe(200);
  });

  it('requires a credential', async () => {
    expect((await call('GET', PATH)).status).toBe(401);
    expect((await call('PUT', PATH, undefined, { grants: [] })).status).toBe(401);
  });
});
