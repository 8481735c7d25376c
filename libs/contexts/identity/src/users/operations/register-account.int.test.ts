import { listSystemRolePermissions, PERMISSIONS } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { EDITION, hashCheaply, PASSWORD, useIdentity } from '../../testing/open-identity.ts';
import { hasAccount, listAccountIds } from '../store/account.store.ts';
import { findUserByLogin } from '../store/user.store.ts';
import { findUser } from './find-user.ts';
import { registerAccount } from './register-account.ts';

const identity = useIdentity();

const person = (username: string, email = `${username}@example.test`) => ({
  username,
  email,
  passwordHash: hashCheaply(PASSWORD),
  fullName: null,
});
const register = (input: ReturnType<typeof person>) => identity().settle((trx) => registerAccount(trx, input, EDITION));

const countAccounts = async () => (await listAccountIds(identity().db)).length;

describe('the first account of a deployment (ACC-1)', () => {
  it('is created by only one of many simultaneous requests: the others find it after waiting for the lock', async () => {
    expect(await hasAccount(identity().db, { lock: false })).toBe(false);
    const registerFirst = (index: number) =>
      identity().run(async (trx) => {
        if (await hasAccount(trx, { lock: true })) return 'closed';
        return (await registerAccount(trx, person(`first-${index}`), EDITION)).kind;
      });
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, index) => registerFirst(index)));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(await countAccounts()).toBe(1);
  });

  it('does not exist until its transaction has been committed', async () => {
    const before = await countAccounts();
    const failing = identity().run(async (trx) => {
      await registerAccount(trx, person(`undone-${newId()}`), EDITION);
      throw new Error('fault after the insert');
    });
    await expect(failing).rejects.toThrow('fault after the insert');
    expect(await countAccounts()).toBe(before);
  });
});

describe('registering (ACC-2)', () => {
  it('creates an account and an owner with the permissions of owners', async () => {
    const outcome = await register(person('Dana'));
    expect(outcome).toMatchObject({ kind: 'created', user: { username: 'Dana', role: 'owner', isActive: true } });
    const { user } = outcome as Extract<typeof outcome, { kind: 'created' }>;
    expect(user.permissions).toEqual(listSystemRolePermissions('owner'));
    expect(user.isInvited).toBe(false);
    expect(await listAccountIds(identity().db)).toContain(user.accountId);
    expect(await findUser(identity().db, user.id, EDITION)).toEqual(user);
  });

  it.each([
    ['name', person('Taken-Name', 'other@example.test'), 'username'],
    ['name in a different case', person('tAKEN-nAME', 'another@example.test'), 'username'],
    ['address', person('other-name', 'taken@example.test'), 'email'],
    ['address in a different case', person('another-name', 'TAKEN@Example.Test'), 'email'],
  ])('refuses the %s of another user, in any account, and creates no account', async (_case, input, field) => {
    await register(person('taken-name', 'Taken@example.test'));
    const before = await countAccounts();
    expect(await register(input)).toEqual({ kind: 'taken', field });
    expect(await countAccounts()).toBe(before);
  });

  it('assigns a name only once under simultaneous requests', async () => {
    const before = await countAccounts();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => register(person(index % 2 === 0 ? 'Rush' : 'rUSH', `r${index}@e.test`))),
    );
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'taken')).toHaveLength(7);
    expect(await countAccounts()).toBe(before + 1);
  });

  it('reveals nothing about a name except that it is taken', async () => {
    await register(person('secretive'));
    expect(Object.keys(await register(person('secretive', 's2@example.test'))).sort()).toEqual(['field', 'kind']);
  });
});

describe('looking up a user by login name (ACC-8)', () => {
  it.each(['Findable', 'FINDABLE', 'findable', 'Find.Me@Example.test', 'find.me@example.TEST'])(
    'accepts %s',
    async (name) => {
      if ((await findUserByLogin(identity().db, 'findable')) === undefined)
        await register(person('Findable', 'Find.Me@Example.test'));
      expect((await findUserByLogin(identity().db, name))?.username).toBe('Findable');
    },
  );

  it.each(['', '%', 'find%', '_indable', 'findable ', "' or true --", 'find.me', 'x'.repeat(100_000), '漢字', '\\'])(
    'does not accept a pattern or part of a name: %j',
    async (name) => {
      expect(await findUserByLogin(identity().db, name)).toBeUndefined();
    },
  );

  it('returns no permission that only keys have', async () => {
    const permissions = (await findUserByLogin(identity().db, 'dana'))?.permissions ?? [];
    expect(permissions.length).toBeGreaterThan(0);
    expect(PERMISSIONS.filter((permission) => !permissions.includes(permission))).toEqual(['manage_api_keys']);
  });
});
