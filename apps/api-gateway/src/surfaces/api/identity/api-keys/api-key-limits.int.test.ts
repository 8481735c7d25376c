import { randomUUID } from 'node:crypto';
import { PASSWORD, usePeople } from '../../../../testing/people-tests.ts';

const MAKER = ['manage_api_keys', 'view_flows'];

describe('an API key', () => {
  const people = usePeople();
  const make = (token: string, fields: object = {}) =>
    people.call('POST', '/auth/api-keys', token, { name: 'a key', ...fields });
  const revoke = (token: string, id: string) => people.call('DELETE', `/auth/api-keys/${id}`, token);
  const readPermissions = async (key: string): Promise<string[]> =>
    (await people.call('GET', '/users/me', key)).body.permissions;
  const inAnHour = (hours = 1): string => new Date(Date.now() + hours * 3_600_000).toISOString();

  it('has all scopes of its owner if its scopes are omitted or null, and none if they are an empty list (ACC-24)', async () => {
    const { accessToken } = await people.register();
    for (const fields of [{}, { scopes: null }]) {
      const { body } = await make(accessToken, fields);
      expect(body.scopes).toBeNull();
      expect(await readPermissions(body.key)).toContain('manage_users');
    }
    const none = await make(accessToken, { scopes: [] });
    expect(none.body.scopes).toEqual([]);
    expect(await readPermissions(none.body.key)).toEqual([]);
    expect((await people.call('GET', '/flows', none.body.key)).status).toBe(403);
  });

  it.each([{}, { scopes: ['view_flows'] }])('with %j cannot create or revoke keys (ACC-26)', async (fields) => {
    const { accessToken } = await people.register();
    const { body: key } = await make(accessToken, fields);
    const other = await make(accessToken);
    const refused = await make(key.key);
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'manage_api_keys']);
    expect((await revoke(key.key, other.body.id)).status).toBe(403);
    expect(await people.probe(other.body.key)).toBe(200);
  });

  it('with manage_api_keys creates keys with at most its own scopes, even after the role of its owner changes (ACC-27)', async () => {
    const owner = await people.register();
    const admin = await people.add(owner.accessToken, 'admin');
    const { body: parent } = await make(admin.token, { scopes: ['manage_api_keys', 'manage_budgets'] });
    const { body: child } = await make(parent.key);
    expect([child.scopes, child.parent_id]).toEqual([['manage_budgets'], parent.id]);
    for (const scopes of [['view_flows'], ['manage_budgets', 'manage_users']])
      expect((await make(parent.key, { scopes })).status).toBe(403);
    await people.call('PATCH', `/users/${admin.id}`, owner.accessToken, { role: 'editor' });
    expect(await readPermissions(child.key)).toEqual([]);
    const { body: late } = await make(parent.key);
    expect(await readPermissions(late.key)).toEqual([]);
    expect((await make(parent.key, { scopes: ['manage_budgets'] })).status).toBe(403);
  });

  it('creates keys that cannot create keys unless that scope was granted explicitly (ACC-27)', async () => {
    const { accessToken } = await people.register();
    const { body: parent } = await make(accessToken, { scopes: MAKER });
    const [plain, maker] = [await make(parent.key), await make(parent.key, { scopes: MAKER })];
    expect((await make(plain.body.key)).status).toBe(403);
    expect((await make(maker.body.key)).status).toBe(201);
  });

  it('creates keys that expire no later than it does (ACC-27)', async () => {
    const { accessToken } = await people.register();
    const { body: parent } = await make(accessToken, { scopes: MAKER, expires_at: inAnHour() });
    expect((await make(parent.key)).body.expires_at).toBe(parent.expires_at);
    const later = await make(parent.key, { expires_at: inAnHour(2) });
    expect([later.status, later.body.detail.field]).toEqual([422, 'expires_at']);
    expect((await make(parent.key, { expires_at: inAnHour(0.5) })).status).toBe(201);
  });

  it('that is bound to an agent cannot create or revoke keys, whatever its scopes (ACC-45)', async () => {
    const { accessToken } = await people.register();
    const binding = { type: 'agent', id: 'agent-a', name: null };
    const { body: key } = await make(accessToken, { scopes: MAKER, runtime_principal: binding });
    const refused = [
      await make(key.key),
      await make(key.key, { runtime_principal: binding }),
      await revoke(key.key, key.id),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await people.probe(key.key)).toBe(200);
  });

  it('cannot create users or roles that would outlive it or exceed its permissions (ACC-46)', async () => {
    const { accessToken } = await people.register();
    const { id: person } = await people.add(accessToken, 'viewer');
    const { body: role } = await people.call('POST', '/roles', accessToken, {
      name: 'own',
      permissions: ['view_flows'],
    });
    const { body: maker } = await make(accessToken, { scopes: [...MAKER, 'manage_users', 'view_flows'] });
    const limited = [
      await make(accessToken, { scopes: ['manage_users', 'view_flows'] }),
      await make(accessToken, { expires_at: inAnHour() }),
      await make(maker.key, { scopes: ['manage_users', 'view_flows'] }),
    ];
    const attempts: readonly [string, string, object?][] = [
      ['POST', '/users', { username: 'left-behind', email: 'left@example.test', role: 'own', password: PASSWORD }],
      ['POST', '/users', { username: 'left-behind', email: 'left@example.test', role: 'own' }],
      ['POST', `/users/${person}/invitation`],
      ['PATCH', `/users/${person}`, { role: 'own' }],
      ['PATCH', `/users/${person}`, { is_active: true }],
      ['POST', '/roles', { name: 'wider', permissions: ['manage_users'] }],
      ['PATCH', `/roles/${role.id}`, { permissions: ['manage_users'] }],
    ];
    for (const { body } of limited)
      for (const [method, path, sent] of attempts) {
        const answer = await people.call(method, path, body.key, sent);
        expect([path, answer.status, answer.body.detail.code]).toEqual([path, 403, 'permission_denied']);
      }
    const { body: unlimited } = await make(accessToken);
    const added = { username: 'provisioned', email: 'provisioned@example.test', role: 'viewer', password: PASSWORD };
    expect((await people.call('POST', '/users', unlimited.key, added)).status).toBe(201);
    expect((await people.call('PATCH', `/users/${person}`, maker.key, { is_active: false })).status).toBe(403);
  });

  it('is revoked with all keys created from it, at any depth, but no other key is revoked (ACC-27)', async () => {
    const { accessToken } = await people.register();
    const { body: parent } = await make(accessToken, { scopes: MAKER });
    const { body: child } = await make(parent.key, { scopes: MAKER });
    const { body: grandchild } = await make(child.key);
    const { body: sibling } = await make(accessToken);
    expect((await revoke(accessToken, parent.id)).status).toBe(204);
    for (const dead of [parent, child, grandchild]) expect(await people.probe(dead.key)).toBe(401);
    expect(await people.probe(sibling.key)).toBe(200);
    const list = await people.call('GET', '/auth/api-keys', accessToken);
    expect(list.body.items.map((key: { id: string }) => key.id)).toEqual([sibling.id]);
    expect((await people.readAudit(accessToken))[0]).toMatchObject({ action: 'delete', details: { revoked: 3 } });
  });

  it('that is created while its parent is being revoked is revoked too', async () => {
    const { accessToken } = await people.register();
    const { body: parent } = await make(accessToken, { scopes: MAKER });
    const { body: child } = await make(parent.key);
    expect(await people.probe(child.key)).toBe(200);
    await people.query('update gateway.api_key set revoked_at = now() where id = $1', [parent.id]);
    expect(await people.probe(child.key)).toBe(401);
  });

  it('can read and revoke itself and the keys it created, but no other key of its owner (ACC-28)', async () => {
    const { accessToken } = await people.register();
    const { body: unlimited } = await make(accessToken);
    const { body: parent } = await make(accessToken, { scopes: [...MAKER, 'manage_users'] });
    const { body: child } = await make(parent.key);
    const list = await people.call('GET', '/auth/api-keys', parent.key);
    expect(list.body.items.map((key: { id: string }) => key.id)).toEqual([child.id, parent.id]);
    const foreign = await revoke(parent.key, unlimited.id);
    const unknown = await revoke(parent.key, randomUUID());
    expect([foreign.status, foreign.body.detail]).toEqual([404, unknown.body.detail]);
    expect(await people.probe(unlimited.key)).toBe(200);
    expect((await revoke(parent.key, child.id)).status).toBe(204);
    expect(await people.probe(child.key)).toBe(401);
  });

  it('becomes invalid permanently when its owner is deactivated (ACC-19)', async () => {
    const owner = await people.register();
    const member = await people.add(owner.accessToken, 'editor');
    const { body: key } = await make(member.token);
    for (const active of [false, true]) {
      await people.call('PATCH', `/users/${member.id}`, owner.accessToken, { is_active: active });
      expect(await people.probe(key.key)).toBe(401);
    }
    const entry = (await people.readAudit(owner.accessToken)).find(({ details }) => details.is_active === false);
    expect(entry?.details).toEqual({ is_active: false, revoked_api_keys: 1 });
  });

  it('cannot be revoked by a person with fewer permissions (ACC-17)', async () => {
    const owner = await people.register();
    const admin = await people.add(owner.accessToken, 'admin');
    const viewer = await people.add(owner.accessToken, 'viewer');
    const { body: ownersKey } = await make(owner.accessToken);
    const { body: viewersKey } = await make(viewer.token);
    expect((await revoke(admin.token, ownersKey.id)).status).toBe(403);
    expect((await revoke(admin.token, viewersKey.id)).status).toBe(204);
    expect(await people.probe(ownersKey.key)).toBe(200);
  });
});
