import { usePeople } from '../../../../testing/people-tests.ts';

describe('nobody can change a user with more permissions (ACC-17)', () => {
  const people = usePeople();
  const change = async (token: string, id: string, body: object) => {
    const answer = await people.call('PATCH', `/users/${id}`, token, body);
    return [answer.status, answer.body.detail?.permission];
  };
  const addRole = (token: string, name: string, permissions: string[]) =>
    people.call('POST', '/roles', token, { name, permissions });

  it('an admin cannot demote or deactivate an owner, even if there are two owners', async () => {
    const owner = await people.register();
    const second = await people.add(owner.accessToken, 'owner');
    const admin = await people.add(owner.accessToken, 'admin');
    for (const body of [{ role: 'viewer' }, { is_active: false }, { is_active: true }])
      for (const id of [owner.userId, second.id]) expect(await change(admin.token, id, body)).toEqual([403, 'owner']);
    expect(await people.probe(second.token)).toBe(200);
    expect(await change(owner.accessToken, second.id, { role: 'viewer' })).toEqual([200, undefined]);
  });

  it('a user with only manage_users cannot change users with more permissions', async () => {
    const { accessToken } = await people.register();
    await addRole(accessToken, 'people managers', ['manage_users']);
    await addRole(accessToken, 'guests', []);
    const manager = await people.add(accessToken, 'people managers');
    const admin = await people.add(accessToken, 'admin');
    const guest = await people.add(accessToken, 'guests');
    expect(await change(manager.token, admin.id, { is_active: false })).toEqual([403, 'view_runtime_sessions']);
    expect(await change(manager.token, admin.id, { role: 'guests' })).toEqual([403, 'view_runtime_sessions']);
    expect(await change(manager.token, guest.id, { role: 'people managers' })).toEqual([200, undefined]);
    expect(await change(manager.token, guest.id, { role: 'viewer' })).toEqual([403, expect.any(String)]);
  });

  it('admins can manage other admins and users with fewer permissions', async () => {
    const { accessToken } = await people.register();
    const [admin, other] = [await people.add(accessToken, 'admin'), await people.add(accessToken, 'admin')];
    expect(await change(admin.token, other.id, { role: 'editor' })).toEqual([200, undefined]);
    expect(await change(admin.token, admin.id, { role: 'viewer' })).toEqual([200, undefined]);
  });

  it('a key is checked against its own permissions, not those of its owner', async () => {
    const owner = await people.register();
    const viewer = await people.add(owner.accessToken, 'viewer');
    const key = async (fields: object) =>
      (await people.call('POST', '/auth/api-keys', owner.accessToken, { name: 'k', ...fields })).body.key;
    const narrow = await key({ scopes: ['manage_users'] });
    expect(await change(narrow, viewer.id, { is_active: false })).toEqual([403, 'view_runtime_sessions']);
    expect((await addRole(narrow, 'runners', ['execute_flows'])).status).toBe(403);
    expect(await change(await key({}), viewer.id, { is_active: false })).toEqual([200, undefined]);
  });

  it('a role cannot contain permissions that only keys can have (ACC-21)', async () => {
    const { accessToken } = await people.register();
    expect((await addRole(accessToken, 'key makers', ['manage_api_keys'])).status).toBe(422);
  });
});
