import { hashCheaply, LIMITS, NOW, PASSWORD, useIdentity } from '../../testing/open-identity.ts';
import type { User } from '../../users/rules/user.ts';
import { verifyPassword } from '../password-hash.ts';
import { hashNewPassword } from './hash-new-password.ts';
import { preparePasswordChange } from './prepare-password-change.ts';

const identity = useIdentity();
const NEXT = 'another long password';
let hosts = 0;
const nextAddress = () => `203.0.113.${(hosts += 1)}`;

const prepare = (
  { id: userId }: Pick<User, 'id'>,
  currentPassword: string,
  newPassword = NEXT,
  addressKey = nextAddress(),
) =>
  preparePasswordChange(
    identity().db,
    { userId, currentPassword, newPassword, addressKey, now: () => NOW },
    { failuresPerMinute: 3 },
  );
const readHash = async ({ id }: User) =>
  (
    await identity().query<{ password_hash: string }>('select password_hash from gateway.user_account where id = $1', [
      id,
    ])
  )[0]?.password_hash ?? '';
const setPassword = (user: User, password: string) =>
  identity().query('update gateway.user_account set password_hash = $2 where id = $1', [
    user.id,
    hashCheaply(password),
  ]);

describe('changing a password', () => {
  it('hashes the new password, returns the hash to be replaced, and does not store anything yet', async () => {
    const owner = await identity().addAccount();
    const formerHash = await readHash(owner);
    const prepared = await prepare(owner, PASSWORD);
    expect(prepared).toMatchObject({ kind: 'ready', formerHash });
    const { hash } = prepared as Extract<typeof prepared, { kind: 'ready' }>;
    expect(await verifyPassword(NEXT, hash)).toBe(true);
    expect(await readHash(owner)).toBe(formerHash);
  });

  it.each([
    ['the current password', PASSWORD, PASSWORD],
    [
      'the current password in another encoding of the same characters (ACC-7)',
      'caf\u00e9 au lait',
      'cafe\u0301 au lait',
    ],
    ['a common password', PASSWORD, 'password123'],
    ['blanks', PASSWORD, ' '.repeat(9)],
  ])('refuses %s (ACC-6)', async (_case, current, next) => {
    const owner = await identity().addAccount();
    await setPassword(owner, current);
    expect(await prepare(owner, current, next)).toMatchObject({ kind: 'weak', reason: expect.any(String) as unknown });
  });

  it('refuses passwords that contain the user’s names (ACC-6)', async () => {
    const owner = await identity().addAccount();
    for (const name of [owner.username, owner.email, owner.username.toUpperCase()])
      expect((await prepare(owner, PASSWORD, name)).kind).toBe('weak');
  });

  it('accepts the current password in another letter case, which is a different password', async () => {
    const owner = await identity().addAccount();
    expect((await prepare(owner, PASSWORD, PASSWORD.toUpperCase())).kind).toBe('ready');
  });

  it('counts a wrong current password as a failed login, but not a weak new one (ACC-13)', async () => {
    const owner = await identity().addAccount();
    const address = nextAddress();
    for (let index = 0; index < 4; index += 1)
      expect((await prepare(owner, PASSWORD, 'password', address)).kind).toBe('weak');
    for (let index = 0; index < 3; index += 1)
      expect(await prepare(owner, `guess ${index}`, NEXT, address)).toEqual({ kind: 'wrong' });
    expect(await prepare(owner, PASSWORD, NEXT, address)).toMatchObject({ kind: 'blocked' });
    const outcome = await identity().tryLogin(owner.username, PASSWORD, NOW, address);
    // Both share one count of failures; the login succeeds only because its limit is higher in the settings of this
    // file.
    expect([outcome.kind, LIMITS.failuresPerMinute]).toEqual(['logged_in', 5]);
  });

  it('is refused for a user without a password and for a deleted user, whatever they send', async () => {
    const owner = await identity().addAccount();
    const invited = await identity().addUser(owner.accountId, { passwordHash: null });
    const gone = await identity().addUser(owner.accountId);
    await identity().query('update gateway.user_account set is_active = false where id = $1', [gone.id]);
    expect(await prepare(invited, '')).toEqual({ kind: 'wrong' });
    expect(await prepare(gone, PASSWORD)).toEqual({ kind: 'wrong' });
    expect(await prepare({ id: owner.accountId }, PASSWORD)).toEqual({ kind: 'wrong' });
  });
});

describe('the first password of a user (ACC-6)', () => {
  const dana = { username: 'dana.doe', email: 'dana.d@example.test' };

  it('is hashed if it is accepted', async () => {
    const made = await hashNewPassword(NEXT, dana, nextAddress());
    expect(made.kind).toBe('hashed');
    expect(await verifyPassword(NEXT, (made as Extract<typeof made, { kind: 'hashed' }>).hash)).toBe(true);
  });

  it.each(['password', 'DANA.DOE', 'dana.d', 'dana.d@example.test', '11111111', '\t \u00a0   \u3000 '])(
    'is refused with a reason that does not repeat it: %j',
    async (password) => {
      const made = await hashNewPassword(password, dana, nextAddress());
      expect(made.kind).toBe('weak');
      expect((made as Extract<typeof made, { kind: 'weak' }>).reason.toLowerCase()).not.toContain(
        `"${password.toLowerCase()}"`,
      );
    },
  );
});
