import { DAY, EDITION, hashCheaply, later, NOW, PASSWORD, useIdentity } from '../../testing/open-identity.ts';
import { updateUser } from '../../users/operations/update-user.ts';
import type { User } from '../../users/rules/user.ts';
import { purgeInvitations } from '../store/invitation.store.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { issueInvitation } from './issue-invitation.ts';
import { prepareAcceptance } from './prepare-acceptance.ts';

const identity = useIdentity();
const CHOSEN = 'chosen by the invited';
const EXPIRES = later(7 * DAY);

const addInvited = async () => {
  const { accountId } = await identity().addAccount();
  return identity().addUser(accountId, { role: 'editor', passwordHash: null });
};
const issue = async (user: User, expiresAt = EXPIRES) =>
  (await identity().run((trx) => issueInvitation(trx, user, expiresAt))).token;
const toInput = (token: string, fields: { fullName?: string; now?: Date; password?: string } = {}) => ({
  token,
  hash: hashCheaply(fields.password ?? CHOSEN),
  fullName: fields.fullName,
  now: fields.now ?? NOW,
});
const accept = (token: string, fields: Parameters<typeof toInput>[1] = {}) =>
  identity().run((trx) => acceptInvitation(trx, toInput(token, fields), EDITION));
const deactivate = ({ id: userId, accountId }: User) => ({
  ...{ accountId, userId, isActive: false, now: NOW },
  authorize: () => undefined,
});

describe('an invitation (ACC-3)', () => {
  it('is returned once and stored only as a hash', async () => {
    const token = await issue(await addInvited());
    expect(token).toMatch(/^stw_inv_[\w-]{43}$/);
    const rows = await identity().query<{ row: string }>('select i::text as row from gateway.invitation i');
    for (const { row } of rows) expect(row).not.toContain(token.slice('stw_inv_'.length));
  });

  it('is not a credential', async () => {
    expect(await identity().authenticate(await issue(await addInvited()))).toBeUndefined();
  });

  it('allows its user to choose a password and a name, and to log in', async () => {
    const user = await addInvited();
    const token = await issue(user);
    expect((await identity().tryLogin(user.username, CHOSEN)).kind).toBe('wrong');
    expect(await accept(token, { fullName: 'Dana Doe' })).toEqual({ ...user, fullName: 'Dana Doe', isInvited: false });
    expect(await identity().tryLogin(user.username, CHOSEN)).toMatchObject({
      kind: 'logged_in',
      user: { role: 'editor' },
    });
  });

  it('leaves the name unchanged if none is given', async () => {
    const user = await addInvited();
    await identity().query(`update gateway.user_account set full_name = 'As invited' where id = $1`, [user.id]);
    expect((await accept(await issue(user)))?.fullName).toBe('As invited');
  });
});

describe('an invalid invitation (ACC-4)', () => {
  it('has already been used: the first password remains valid', async () => {
    const user = await addInvited();
    const token = await issue(user);
    await accept(token);
    expect(await accept(token, { password: 'of the thief' })).toBeUndefined();
    expect((await identity().tryLogin(user.username, 'of the thief')).kind).toBe('wrong');
    expect((await identity().tryLogin(user.username, CHOSEN)).kind).toBe('logged_in');
  });

  it('has expired, from its expiry time on', async () => {
    const token = await issue(await addInvited());
    for (const now of [EXPIRES, later(8 * DAY)]) expect(await accept(token, { now })).toBeUndefined();
    expect(await accept(token, { now: later(7 * DAY - 0.001) })).toBeDefined();
  });

  it('was replaced by another invitation', async () => {
    const user = await addInvited();
    const [former, current] = [await issue(user), await issue(user)];
    expect(await accept(former)).toBeUndefined();
    expect(await accept(current)).toBeDefined();
  });

  it('was issued simultaneously with another one that replaced it', async () => {
    const user = await addInvited();
    const tokens = await Promise.all(Array.from({ length: 4 }, () => issue(user)));
    const accepted = [];
    for (const token of tokens) accepted.push(await accept(token));
    expect(accepted.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it.each(['', 'stw_inv_', 'x'.repeat(100_000), '\u0000', '%'])('is unknown: %j', async (token) => {
    expect(await accept(token)).toBeUndefined();
    const asked = { token, password: CHOSEN, addressKey: '192.0.2.1', now: NOW };
    expect(await prepareAcceptance(identity().db, asked)).toEqual({ kind: 'unknown' });
  });

  it('belongs to a user who already has a password', async () => {
    const user = await addInvited();
    const token = await issue(user);
    const hash = hashCheaply(PASSWORD);
    await identity().query('update gateway.user_account set password_hash = $2 where id = $1', [user.id, hash]);
    expect(await accept(token)).toBeUndefined();
    expect((await identity().tryLogin(user.username)).kind).toBe('logged_in');
  });
});

describe('an invitation that is accepted twice at the same time (ACC-4)', () => {
  it('sets only one password: the second acceptance is refused', async () => {
    const user = await addInvited();
    const token = await issue(user);
    const [first, second] = await identity().overlap(
      (trx) => acceptInvitation(trx, toInput(token), EDITION),
      () => accept(token, { password: 'of the second' }),
    );
    expect([first?.id, second]).toEqual([user.id, undefined]);
    expect((await identity().tryLogin(user.username, CHOSEN)).kind).toBe('logged_in');
  });

  it('is accepted once under simultaneous requests', async () => {
    const token = await issue(await addInvited());
    const accepted = await Promise.all(Array.from({ length: 8 }, () => accept(token)));
    expect(accepted.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('remains open if the transaction of the acceptance fails', async () => {
    const token = await issue(await addInvited());
    const failing = identity().run(async (trx) => {
      await acceptInvitation(trx, toInput(token), EDITION);
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    expect(await accept(token)).toBeDefined();
  });

  it('does not allow the user to log in if the user is simultaneously deactivated, in either order', async () => {
    const user = await addInvited();
    const token = await issue(user);
    const [, second] = await identity().overlap(
      (trx) => updateUser(trx, deactivate(user), EDITION),
      () => accept(token),
    );
    expect(second).toBeUndefined();
    const other = await addInvited();
    const otherToken = await issue(other);
    const [taken] = await identity().overlap(
      (trx) => acceptInvitation(trx, toInput(otherToken), EDITION),
      () => identity().run((trx) => updateUser(trx, deactivate(other), EDITION)),
    );
    expect(taken?.id).toBe(other.id);
    for (const { username } of [user, other]) expect((await identity().tryLogin(username, CHOSEN)).kind).toBe('wrong');
  });
});

describe('preparing the acceptance', () => {
  const prepare = (token: string, password: string) =>
    prepareAcceptance(identity().db, { token, password, addressKey: '192.0.2.1', now: NOW });

  it('checks the password against the names of the user, and leaves the invitation open (ACC-6)', async () => {
    const user = await addInvited();
    const token = await issue(user);
    for (const weak of ['password123', user.username, user.email.toUpperCase(), '        '])
      expect((await prepare(token, weak)).kind).toBe('weak');
    expect((await prepare(token, CHOSEN)).kind).toBe('ready');
    expect(await accept(token)).toBeDefined();
  });

  it('refuses a deactivated user, even if the invitation exists', async () => {
    const user = await addInvited();
    const token = await issue(user);
    await identity().query('update gateway.user_account set is_active = false where id = $1', [user.id]);
    expect(await prepare(token, CHOSEN)).toEqual({ kind: 'unknown' });
    expect(await accept(token)).toBeUndefined();
  });
});

describe('the cleanup of invitations', () => {
  it('deletes only expired invitations', async () => {
    const [over, open] = [await issue(await addInvited(), later(10)), await issue(await addInvited(), later(30))];
    expect(await purgeInvitations(identity().db, later(20))).toBe(1);
    expect([await accept(over), await accept(open)]).toEqual([undefined, expect.anything()]);
  });
});
