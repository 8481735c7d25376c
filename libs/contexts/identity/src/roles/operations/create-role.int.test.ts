import { PERMISSIONS, ROLE_PERMISSIONS, SYSTEM_ROLES, type Permission } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { useIdentity } from '../../testing/open-identity.ts';
import { findRole, listRoles } from '../store/role.store.ts';
import { createRole } from './create-role.ts';

const identity = useIdentity();

const create = (accountId: string, name: string, permissions: readonly Permission[] = ['view_flows']) =>
  identity().settle((trx) => createRole(trx, { accountId, name, permissions }));

describe('a custom role (ACC-15)', () => {
  it('is stored with its name in lower case and each permission once', async () => {
    const accountId = newId();
    const outcome = await create(accountId, 'Release Crew.2', ['view_flows', 'execute_flows', 'view_flows']);
    expect(outcome).toMatchObject({
      kind: 'created',
      role: { name: 'release crew.2', permissions: ['execute_flows', 'view_flows'], isSystem: false },
    });
    expect(await findRole(identity().db, accountId, 'RELEASE crew.2')).toEqual(
      (outcome as Extract<typeof outcome, { kind: 'created' }>).role,
    );
  });

  it.each([
    ['without permissions', []],
    ['with all permissions that a role can have', ROLE_PERMISSIONS],
  ])('can be created %s', async (_case, permissions) => {
    const outcome = await create(newId(), 'extreme', permissions);
    expect(outcome).toMatchObject({ kind: 'created', role: { permissions: [...permissions].sort() } });
  });

  it.each(SYSTEM_ROLES.flatMap((name) => [name, name.toUpperCase()]))(
    'cannot have the name %s of a system role',
    async (name) => {
      expect(await create(newId(), name)).toEqual({ kind: 'taken' });
    },
  );

  it('cannot have the name of another role of the account, which remains unchanged', async () => {
    const accountId = newId();
    await create(accountId, 'crew', ['view_flows']);
    expect(await create(accountId, 'CREW', [...PERMISSIONS])).toEqual({ kind: 'taken' });
    expect((await findRole(identity().db, accountId, 'crew'))?.permissions).toEqual(['view_flows']);
  });

  it('is created only once under simultaneous requests for the same name', async () => {
    const accountId = newId();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => create(accountId, 'rush')));
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect((await listRoles(identity().db, accountId)).filter(({ name }) => name === 'rush')).toHaveLength(1);
  });

  it('is reported as taken, not as an error, if another transaction creates it at the same time', async () => {
    const accountId = newId();
    const [first, second] = await identity().overlap(
      (trx) => createRole(trx, { accountId, name: 'crossing', permissions: [] }),
      () => create(accountId, 'Crossing'),
    );
    expect([first.kind, second.kind]).toEqual(['created', 'taken']);
  });

  it.each(['', ' crew', '-crew', 'crew\n', 'a'.repeat(51), 'équipe', 'crew;drop'])(
    'is refused by the database with the invalid name %j, whatever the caller',
    async (name) => {
      await expect(create(newId(), name)).rejects.toThrow(/role_name_check/);
    },
  );
});

describe('the assignable roles of an account (ACC-20)', () => {
  it('are the system roles, which are the same in every account, then its custom roles', async () => {
    const [one, other] = [newId(), newId()];
    await create(one, 'zeta');
    await create(one, 'alpha');
    await create(other, 'zeta', ['execute_flows']);
    const names = async (accountId: string) => (await listRoles(identity().db, accountId)).map(({ name }) => name);
    const system = [...SYSTEM_ROLES].sort();
    expect(await names(one)).toEqual([...system, 'alpha', 'zeta']);
    expect(await names(newId())).toEqual(system);
    expect((await findRole(identity().db, one, 'zeta'))?.permissions).toEqual(['view_flows']);
  });

  it('are marked as system or custom: a role that a client creates is never a system role', async () => {
    const accountId = newId();
    await create(accountId, 'own');
    const roles = await listRoles(identity().db, accountId);
    expect(roles.filter(({ isSystem }) => !isSystem).map(({ name }) => name)).toEqual(['own']);
  });

  it('give precedence to a system role over a custom role with the same name, which can occur after an upgrade', async () => {
    const accountId = newId();
    await identity().query(
      `insert into gateway.role (id, account_id, name, permissions) values ($1, $2, 'viewer', '{manage_users}')`,
      [newId(), accountId],
    );
    expect(await findRole(identity().db, accountId, 'viewer')).toMatchObject({ isSystem: true });
  });
});
