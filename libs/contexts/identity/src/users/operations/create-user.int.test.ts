import { newId } from '@steward/crypto';
import { createRole } from '../../roles/operations/create-role.ts';
import { EDITION, hashCheaply, PASSWORD, useIdentity } from '../../testing/open-identity.ts';
import { createUser } from './create-user.ts';
import { findUser } from './find-user.ts';
import { listUsers } from './list-users.ts';

const identity = useIdentity();

const create = (accountId: string, fields: Partial<Parameters<typeof createUser>[1]> = {}, edition = EDITION) => {
  const username = `new-${newId()}`;
  const input = { username, email: `${username}@example.test`, fullName: null, role: 'viewer', accountId };
  return identity().settle((trx) =>
    createUser(trx, { ...input, passwordHash: hashCheaply(PASSWORD), ...fields }, edition),
  );
};

describe('an additional user of an account (ACC-15)', () => {
  it('has the named role, in any letter case', async () => {
    const { accountId } = await identity().addAccount();
    expect(await create(accountId, { role: 'EdiTor', fullName: 'Dana Doe' })).toMatchObject({
      kind: 'created',
      user: { accountId, role: 'editor', fullName: 'Dana Doe', isActive: true, isInvited: false },
    });
  });

  it('without a password is invited, and nobody can log in as them (ACC-3)', async () => {
    const { accountId } = await identity().addAccount();
    const outcome = await create(accountId, { passwordHash: null });
    expect(outcome).toMatchObject({ kind: 'created', user: { isInvited: true, isActive: true } });
    const { username } = (outcome as Extract<typeof outcome, { kind: 'created' }>).user;
    expect((await identity().tryLogin(username, '')).kind).toBe('wrong');
  });

  it.each(['', 'root', 'owner ', 'viewer%', '__proto__', 'x'.repeat(10_000)])(
    'is not created with the unknown role %j',
    async (role) => {
      const { accountId } = await identity().addAccount();
      expect(await create(accountId, { role })).toEqual({ kind: 'unknown_role' });
      expect(await listUsers(identity().db, { accountId, beforeId: undefined, limit: 10 }, EDITION)).toHaveLength(1);
    },
  );

  it('cannot have a custom role of another account', async () => {
    const [one, other] = [await identity().addAccount(), await identity().addAccount()];
    const permissions = ['view_flows' as const];
    await identity().run((trx) => createRole(trx, { accountId: other.accountId, name: 'auditor', permissions }));
    expect(await create(one.accountId, { role: 'auditor' })).toEqual({ kind: 'unknown_role' });
    expect(await create(other.accountId, { role: 'auditor' })).toMatchObject({
      kind: 'created',
      user: { role: 'auditor', permissions },
    });
  });

  it('has no permission that does not exist in the edition, but has it once the edition changes (ACC-22)', async () => {
    const { accountId } = await identity().addAccount();
    const outcome = await create(accountId, { role: 'analyst' }, 'oss');
    const { user } = outcome as Extract<typeof outcome, { kind: 'created' }>;
    expect(user.permissions).not.toContain('search_session_content');
    const read = async (edition: 'cloud' | 'enterprise') =>
      (await findUser(identity().db, user.id, edition))?.permissions.includes('search_session_content');
    expect([await read('cloud'), await read('enterprise')]).toEqual([false, true]);
  });

  it('does not exist before the commit, or after a failure', async () => {
    const { accountId } = await identity().addAccount();
    const input = { username: `gone-${newId()}`, email: `${newId()}@example.test`, fullName: null, role: 'viewer' };
    const failing = identity().run(async (trx) => {
      await createUser(trx, { ...input, accountId, passwordHash: null }, EDITION);
      throw new Error('fault after the insert');
    });
    await expect(failing).rejects.toThrow('fault after the insert');
    expect((await create(accountId, input)).kind).toBe('created');
  });

  it('must belong to an existing account', async () => {
    await expect(create(newId())).rejects.toThrow(/foreign key/);
  });
});

describe('the list of users (ACC-20, API-11)', () => {
  it('contains only those of the account, newest first, each once, with any page size', async () => {
    const { accountId, id: ownerId } = await identity().addAccount();
    await identity().addAccount();
    const ids = [ownerId];
    for (let index = 0; index < 6; index += 1) ids.unshift((await identity().addUser(accountId)).id);
    for (const limit of [1, 2, 3, 7, 200]) {
      const seen: string[] = [];
      for (let beforeId: string | undefined; ;) {
        const page = await listUsers(identity().db, { accountId, beforeId, limit }, EDITION);
        seen.push(...page.slice(0, limit).map((user) => user.id));
        expect(page.length).toBeLessThanOrEqual(limit + 1);
        if (page.length <= limit) break;
        beforeId = seen.at(-1);
      }
      expect(seen).toEqual(ids);
    }
  });

  it('continues from its position even if users are added', async () => {
    const { accountId, id: ownerId } = await identity().addAccount();
    const second = await identity().addUser(accountId);
    const [first] = await listUsers(identity().db, { accountId, beforeId: undefined, limit: 1 }, EDITION);
    expect(first?.id).toBe(second.id);
    await identity().addUser(accountId);
    const rest = await listUsers(identity().db, { accountId, beforeId: second.id, limit: 10 }, EDITION);
    expect(rest.map((user) => user.id)).toEqual([ownerId]);
  });

  it('is empty for an unknown account, and contains no hash', async () => {
    expect(await listUsers(identity().db, { accountId: newId(), beforeId: undefined, limit: 5 }, EDITION)).toEqual([]);
    const { id, accountId } = await identity().addAccount();
    const answers = [
      await findUser(identity().db, id, EDITION),
      await listUsers(identity().db, { accountId, beforeId: undefined, limit: 5 }, EDITION),
    ];
    expect(JSON.stringify(answers)).not.toContain('scrypt');
    expect(await findUser(identity().db, newId(), EDITION)).toBeUndefined();
  });
});
