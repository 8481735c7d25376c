import { newId } from '@steward/crypto';
import { changePassword } from '../../passwords/operations/change-password.ts';
import { hashCheaply, LIMITS, NOW, signer, useIdentity } from '../../testing/open-identity.ts';
import type { User } from '../../users/rules/user.ts';
import { endAllLogins, endLogin } from './end-logins.ts';
import type { IssuedTokens } from './login.ts';
import { refreshLogin } from './refresh-login.ts';

const identity = useIdentity();

const refresh = ({ refreshToken }: IssuedTokens) =>
  identity().run((trx) => refreshLogin(trx, { refreshToken, signer, now: NOW }, LIMITS));
/**
 * Returns whether the tokens are valid. The access token is checked first, because checking the refresh token uses it
 * up.
 */
async function isAlive(tokens: IssuedTokens): Promise<[access: boolean, refresh: boolean]> {
  const principal = await identity().authenticate(tokens.accessToken);
  return [principal !== undefined, (await refresh(tokens)).kind === 'refreshed'];
}
const readLoginId = async ({ accessToken }: IssuedTokens) =>
  (await identity().authenticate(accessToken))?.loginId ?? '';
const readHash = async ({ id }: User) =>
  (
    await identity().query<{ password_hash: string }>('select password_hash from gateway.user_account where id = $1', [
      id,
    ])
  )[0]?.password_hash ?? '';

describe('logging out (ACC-11)', () => {
  it('invalidates the tokens of this login, of both kinds and all generations, but no other tokens', async () => {
    const owner = await identity().addAccount();
    const [here, there] = [await identity().logIn(owner), await identity().logIn(owner)];
    const outcome = await refresh(here);
    const renewed = outcome.kind === 'refreshed' ? outcome.tokens : here;
    const loginId = await readLoginId(here);
    await identity().run((trx) => endLogin(trx, loginId));
    expect(await identity().authenticate(here.accessToken)).toBeUndefined();
    expect(await isAlive(renewed)).toEqual([false, false]);
    expect(await isAlive(there)).toEqual([true, true]);
  });

  it('is not an error if it is repeated or if there is no login', async () => {
    const owner = await identity().addAccount();
    const loginId = await readLoginId(await identity().logIn(owner));
    for (const id of [loginId, loginId, newId()])
      await expect(identity().run((trx) => endLogin(trx, id))).resolves.toBeUndefined();
  });

  it('during a refresh leaves no valid token', async () => {
    const owner = await identity().addAccount();
    const tokens = await identity().logIn(owner);
    const loginId = await readLoginId(tokens);
    const [, outcome] = await identity().overlap(
      (trx) => endLogin(trx, loginId),
      () => refresh(tokens),
    );
    expect(outcome.kind).toBe('unknown');
    const other = await identity().logIn(owner);
    const otherId = await readLoginId(other);
    const [refreshed] = await identity().overlap(
      (trx) => refreshLogin(trx, { refreshToken: other.refreshToken, signer, now: NOW }, LIMITS),
      () => identity().run((trx) => endLogin(trx, otherId)),
    );
    if (refreshed.kind !== 'refreshed') throw new Error(refreshed.kind);
    expect(await isAlive(refreshed.tokens)).toEqual([false, false]);
  });
});

describe('logging out everywhere (ACC-11)', () => {
  it('ends every login of the user, returns their number, and does not affect keys or other users', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    const { key } = await identity().addKey(owner);
    const logins = [await identity().logIn(owner), await identity().logIn(owner), await identity().logIn(owner)];
    const ofUser = await identity().logIn(user);
    expect(await identity().run((trx) => endAllLogins(trx, owner.id))).toBe(3);
    for (const tokens of logins) expect(await isAlive(tokens)).toEqual([false, false]);
    expect(await isAlive(ofUser)).toEqual([true, true]);
    expect(await identity().authenticate(key)).toBeDefined();
    expect(await identity().run((trx) => endAllLogins(trx, owner.id))).toBe(0);
  });

  it('allows the user to log in again immediately', async () => {
    const owner = await identity().addAccount();
    await identity().run((trx) => endAllLogins(trx, owner.id));
    expect(await isAlive(await identity().logIn(owner))).toEqual([true, true]);
  });

  it('ends a login that starts at the same moment either completely or not at all', async () => {
    const owner = await identity().addAccount();
    const [, outcome] = await identity().overlap(
      (trx) => endAllLogins(trx, owner.id),
      () => identity().tryLogin(owner.username),
    );
    if (outcome.kind !== 'logged_in') throw new Error(outcome.kind);
    // This login started after the others had ended: both of its tokens are valid.
    expect(await isAlive(outcome.tokens)).toEqual([true, true]);
  });
});

describe('a changed password (ACC-11)', () => {
  const change = async (user: User, loginId: string, formerHash: string) =>
    identity().run((trx) =>
      changePassword(trx, { userId: user.id, formerHash, hash: hashCheaply('another password'), loginId }),
    );

  it('ends every login except the one that made the change', async () => {
    const owner = await identity().addAccount();
    const [here, there] = [await identity().logIn(owner), await identity().logIn(owner)];
    expect(await change(owner, await readLoginId(here), await readHash(owner))).toBe(true);
    expect(await isAlive(there)).toEqual([false, false]);
    expect(await isAlive(here)).toEqual([true, true]);
    expect((await identity().tryLogin(owner.username)).kind).toBe('wrong');
    expect((await identity().tryLogin(owner.username, 'another password')).kind).toBe('logged_in');
  });

  it('is changed only once by two simultaneous requests with the previous password', async () => {
    const owner = await identity().addAccount();
    const tokens = await identity().logIn(owner);
    const [loginId, formerHash] = [await readLoginId(tokens), await readHash(owner)];
    const changed = await Promise.all([1, 2, 3].map(() => change(owner, loginId, formerHash)));
    expect(changed.filter(Boolean)).toHaveLength(1);
  });

  it('is not changed for a user who was deactivated in the meantime, or for one without a password', async () => {
    const owner = await identity().addAccount();
    const gone = await identity().addUser(owner.accountId);
    await identity().query('update gateway.user_account set is_active = false where id = $1', [gone.id]);
    expect(await change(gone, newId(), await readHash(gone))).toBe(false);
    const invited = await identity().addUser(owner.accountId, { passwordHash: null });
    expect(await change(invited, newId(), '')).toBe(false);
  });
});
