import { newId } from '@steward/crypto';
import { issueInvitation } from '../../invitations/operations/issue-invitation.ts';
import { acceptInvitation } from '../../invitations/operations/accept-invitation.ts';
import { refreshLogin } from '../../logins/operations/refresh-login.ts';
import {
  EDITION,
  hashCheaply,
  later,
  LIMITS,
  NOW,
  PASSWORD,
  signer,
  useIdentity,
} from '../../testing/open-identity.ts';
import type { User } from '../rules/user.ts';
import { findUser } from './find-user.ts';
import { updateUser, type UserChange } from './update-user.ts';

const identity = useIdentity();
const anybody = () => undefined;
type Change = Partial<Pick<UserChange, 'role' | 'isActive' | 'authorize' | 'accountId'>>;

const toInput = ({ id, accountId }: User, change: Change): UserChange => ({
  accountId,
  userId: id,
  now: NOW,
  authorize: anybody,
  ...change,
});
const update = (user: User, change: Change) => identity().run((trx) => updateUser(trx, toInput(user, change), EDITION));
const read = (user: User) => findUser(identity().db, user.id, EDITION);

describe('the last active owner (ACC-18)', () => {
  it.each<[string, Change]>([
    ['demoted', { role: 'admin' }],
    ['deactivated', { isActive: false }],
    ['both', { role: 'viewer', isActive: false }],
    ['deactivated while remaining owner', { role: 'owner', isActive: false }],
  ])('cannot be %s', async (_case, change) => {
    const owner = await identity().addAccount();
    expect(await update(owner, change)).toEqual({ kind: 'last_owner' });
    expect(await read(owner)).toEqual(owner);
  });

  it('can be updated without changing role and status', async () => {
    const owner = await identity().addAccount();
    expect((await update(owner, { role: 'OWNER', isActive: true })).kind).toBe('updated');
    expect(await read(owner)).toEqual(owner);
  });

  it('cannot be removed although the account has deactivated and invited owners and admins, and other accounts have owners', async () => {
    const owner = await identity().addAccount();
    await identity().addAccount();
    const former = await identity().addUser(owner.accountId, { role: 'owner' });
    expect((await update(former, { isActive: false })).kind).toBe('updated');
    await identity().addUser(owner.accountId, { role: 'owner', passwordHash: null });
    await identity().addUser(owner.accountId, { role: 'admin' });
    expect((await update(owner, { isActive: false })).kind).toBe('last_owner');
  });

  it('can be removed once there is a second owner who can log in', async () => {
    const owner = await identity().addAccount();
    const second = await identity().addUser(owner.accountId, { role: 'owner' });
    expect((await update(owner, { role: 'viewer' })).kind).toBe('updated');
    expect((await update(second, { role: 'viewer' })).kind).toBe('last_owner');
  });

  it.each<[string, Change]>([
    ['demote', { role: 'viewer' }],
    ['deactivate', { isActive: false }],
  ])('remains when two owners %s each other at the same moment', async (_case, change) => {
    const one = await identity().addAccount();
    const other = await identity().addUser(one.accountId, { role: 'owner' });
    const [first, second] = await identity().overlap(
      (trx) => updateUser(trx, toInput(other, change), EDITION),
      () => update(one, change),
    );
    expect([first.kind, second.kind]).toEqual(['updated', 'last_owner']);
    expect(await read(one)).toMatchObject({ role: 'owner', isActive: true });
  });

  it('remains if all of several owners step down at once, and no request waits forever', async () => {
    const owner = await identity().addAccount();
    const owners = [owner];
    for (let index = 0; index < 5; index += 1)
      owners.push(await identity().addUser(owner.accountId, { role: 'owner' }));
    const outcomes = await Promise.all(
      owners.map((each, index) => update(each, index % 2 === 0 ? { role: 'admin' } : { isActive: false })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'last_owner')).toHaveLength(1);
    const left = await identity().query(
      `select 1 from gateway.user_account u join gateway.role r on r.id = u.role_id
       where u.account_id = $1 and u.is_active and r.name = 'owner'`,
      [owner.accountId],
    );
    expect(left).toHaveLength(1);
  });

  it('is not affected by a custom role called owner in another account', async () => {
    const owner = await identity().addAccount();
    // Accounts cannot use this name for a custom role; a row from an earlier release must not count either.
    const roleId = newId();
    await identity().query(
      `insert into gateway.role (id, account_id, name, permissions) values ($1, $2, 'owner', '{}')`,
      [roleId, owner.accountId],
    );
    const impostor = await identity().addUser(owner.accountId);
    await identity().query('update gateway.user_account set role_id = $2 where id = $1', [impostor.id, roleId]);
    expect((await update(owner, { isActive: false })).kind).toBe('last_owner');
  });
});

describe('changing a user (ACC-16, ACC-17)', () => {
  it('applies from the next request on, to existing logins and keys', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId, { role: 'editor' });
    const credentials = [(await identity().logIn(user)).accessToken, (await identity().addKey(user)).key];
    for (const [role, may] of [
      ['viewer', false],
      ['editor', true],
    ] as const) {
      await update(user, { role });
      for (const credential of credentials) {
        const principal = await identity().authenticate(credential);
        expect([principal?.role, principal?.permissions.has('edit_flows')]).toEqual([role, may]);
      }
    }
  });

  it('checks permissions with the user locked, before any change', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId, { role: 'editor' });
    const seen: User[] = [];
    const [, refused] = await identity().overlap(
      (trx) => updateUser(trx, toInput(user, { role: 'admin' }), EDITION),
      () =>
        update(user, {
          role: 'viewer',
          authorize: (target) => {
            seen.push(target);
            throw new Error('not allowed');
          },
        }).catch((error: unknown) => error),
    );
    expect(String(refused)).toContain('not allowed');
    // A user who was made admin in the meantime is checked as an admin.
    expect(seen.map((target) => target.role)).toEqual(['admin']);
    expect(await read(user)).toMatchObject({ role: 'admin', isActive: true });
  });

  it('is not found in another account, and no permission is checked', async () => {
    const [owner, stranger] = [await identity().addAccount(), await identity().addAccount()];
    const user = await identity().addUser(owner.accountId);
    const asked: User[] = [];
    const authorize = (target: User) => void asked.push(target);
    for (const userId of [user.id, newId()]) {
      const input = { ...toInput(user, { isActive: false, authorize }), userId, accountId: stranger.accountId };
      expect(await identity().run((trx) => updateUser(trx, input, EDITION))).toEqual({ kind: 'not_found' });
    }
    expect(asked).toEqual([]);
    expect(await read(user)).toEqual(user);
  });

  it.each(['', 'emperor', 'viewer '])('to the unknown role %j has no effect', async (role) => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    expect(await update(user, { role, isActive: false })).toEqual({ kind: 'unknown_role' });
    expect(await read(user)).toEqual(user);
  });

  it('returns the user if nothing changes', async () => {
    const owner = await identity().addAccount();
    expect(await update(owner, {})).toEqual({ kind: 'updated', user: owner, revokedKeys: 0 });
  });
});

describe('deactivating a user (ACC-19)', () => {
  it('permanently invalidates logins, keys and their child keys: they remain invalid after reactivation', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    const { accessToken, refreshToken } = await identity().logIn(user);
    const parent = await identity().addKey(user, { scopes: ['view_flows', 'manage_api_keys'] });
    const child = await identity().addKey(user, { parentId: parent.id });
    const kept = await identity().addKey(owner);
    expect(await update(user, { isActive: false })).toMatchObject({ kind: 'updated', revokedKeys: 2 });
    expect((await update(user, { isActive: true })).kind).toBe('updated');
    for (const credential of [accessToken, parent.key, child.key])
      expect(await identity().authenticate(credential)).toBeUndefined();
    const refreshed = await identity().run((trx) => refreshLogin(trx, { refreshToken, signer, now: NOW }, LIMITS));
    expect(refreshed).toEqual({ kind: 'unknown' });
    expect(await identity().authenticate(kept.key)).toBeDefined();
    // The user can log in with the password again.
    expect(await identity().authenticate((await identity().logIn(user)).accessToken)).toBeDefined();
  });

  it('revokes the user’s invitation', async () => {
    const owner = await identity().addAccount();
    const invited = await identity().addUser(owner.accountId, { passwordHash: null });
    const { token } = await identity().run((trx) => issueInvitation(trx, invited, later(3600)));
    await update(invited, { isActive: false });
    await update(invited, { isActive: true });
    const input = { token, hash: hashCheaply(PASSWORD), fullName: undefined, now: NOW };
    expect(await identity().run((trx) => acceptInvitation(trx, input, EDITION))).toBeUndefined();
  });

  it('twice has the same effect as once', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    await identity().addKey(user);
    expect(await update(user, { isActive: false })).toMatchObject({ revokedKeys: 1 });
    expect(await update(user, { isActive: false })).toMatchObject({ kind: 'updated', revokedKeys: 0 });
  });

  it('ends a login that was started in the meantime', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    const [, outcome] = await identity().overlap(
      (trx) => updateUser(trx, toInput(user, { isActive: false }), EDITION),
      () => identity().tryLogin(user.username),
    );
    expect(outcome.kind).toBe('wrong');
    expect(await identity().query('select 1 from gateway.login where user_id = $1', [user.id])).toEqual([]);
  });

  it('invalidates a key that was created in the meantime', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    const [, outcome] = await identity().overlap(
      (trx) => updateUser(trx, toInput(user, { isActive: false }), EDITION),
      () => identity().tryKey(user),
    );
    expect(outcome.kind).toBe('owner_gone');
  });
});
