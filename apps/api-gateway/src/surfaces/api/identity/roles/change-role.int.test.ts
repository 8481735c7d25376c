import { randomUUID } from 'node:crypto';
import { usePeople } from '../../../../testing/people-tests.ts';

const people = usePeople();
const { call } = people;

/** Creates an account with a custom role, and a user who has it. */
async function openAccount() {
  const { accessToken: owner } = await people.register();
  const { body: role } = await call('POST', '/roles', owner, { name: 'Watchers', permissions: ['view_flows'] });
  const watcher = await people.add(owner, 'watchers');
  return { owner, watcher, role, path: `/roles/${role.id as string}` };
}

describe('a custom role', () => {
  it('gives its users the new permissions from their next request on (ACC-40, ACC-16)', async () => {
    const { owner, watcher, role, path } = await openAccount();
    expect((await call('GET', '/flows', watcher.token)).status).toBe(200);
    const changed = await call('PATCH', path, owner, { permissions: ['view_policies', 'view_policies'] });
    expect([changed.status, changed.body]).toEqual([200, { ...role, permissions: ['view_policies'] }]);
    expect((await call('GET', '/flows', watcher.token)).status).toBe(403);
    expect((await call('GET', '/policies', watcher.token)).status).toBe(200);
    expect((await call('GET', '/roles', owner)).body.items).toContainEqual(changed.body);
  });

  it('can be deleted when no user has it, after which its name can be used again (ACC-40)', async () => {
    const { owner, watcher, path } = await openAccount();
    const kept = await call('DELETE', path, owner);
    expect([kept.status, kept.body.detail.users]).toEqual([409, 1]);
    await call('PATCH', `/users/${watcher.id}`, owner, { is_active: false });
    expect((await call('DELETE', path, owner)).status).toBe(409);
    await call('PATCH', `/users/${watcher.id}`, owner, { role: 'viewer' });
    expect((await call('DELETE', path, owner)).status).toBe(204);
    expect((await call('DELETE', path, owner)).status).toBe(404);
    expect((await call('POST', '/roles', owner, { name: 'watchers', permissions: [] })).status).toBe(201);
  });

  it('cannot be deleted while an approval workflow names it: users with a new role of that name could decide (ACC-40)', async () => {
    const { accessToken: owner } = await people.register();
    const { body: role } = await call('POST', '/roles', owner, { name: 'deciders', permissions: ['decide_approvals'] });
    const { body: workflow } = await call('POST', '/approval-workflows', owner, {
      name: 'dba',
      approver_roles: ['deciders'],
    });
    const refused = await call('DELETE', `/roles/${role.id as string}`, owner);
    expect([refused.status, refused.body.detail.message]).toEqual([409, expect.stringContaining('"dba"')]);
    await call('DELETE', `/approval-workflows/${workflow.id as string}`, owner);
    expect((await call('DELETE', `/roles/${role.id as string}`, owner)).status).toBe(204);
  });

  it('cannot be changed by users who lack one of its old or new permissions (ACC-40, ACC-17)', async () => {
    const { owner, path } = await openAccount();
    await call('POST', '/roles', owner, { name: 'people managers', permissions: ['manage_users'] });
    const manager = await people.add(owner, 'people managers');
    const { body: empty } = await call('POST', '/roles', owner, { name: 'guests', permissions: [] });
    const asked = [
      await call('PATCH', path, manager.token, { permissions: [] }),
      await call('DELETE', path, manager.token),
      await call('PATCH', `/roles/${empty.id as string}`, manager.token, { permissions: ['view_flows'] }),
    ];
    for (const { status, body } of asked) expect([status, body.detail.permission]).toEqual([403, 'view_flows']);
    expect((await call('PATCH', `/roles/${empty.id as string}`, manager.token, { permissions: [] })).status).toBe(200);
    expect((await call('DELETE', `/roles/${empty.id as string}`, manager.token)).status).toBe(204);
  });

  it('can be changed only within its account; system roles can never be changed or deleted (ACC-40, ACC-15)', async () => {
    const { owner, path } = await openAccount();
    const stranger = await people.register();
    const { items } = (await call('GET', '/roles', owner)).body as { items: { id: string; is_system: boolean }[] };
    const system = `/roles/${items.find((role) => role.is_system)?.id}`;
    for (const [token, target, status] of [
      [stranger.accessToken, path, 404],
      [owner, `/roles/${randomUUID()}`, 404],
      [owner, system, 409],
    ] as const) {
      expect((await call('PATCH', target, token, { permissions: [] })).status).toBe(status);
      expect((await call('DELETE', target, token)).status).toBe(status);
    }
  });

  it('cannot contain an unknown permission, or one of another edition (ACC-22)', async () => {
    const { owner, path } = await openAccount();
    for (const permission of ['fly', 'search_session_content'])
      expect((await call('PATCH', path, owner, { permissions: [permission] })).status).toBe(422);
  });
});
