import { issueInvitation } from './invitations/operations/issue-invitation.ts';
import { refreshLogin } from './logins/operations/refresh-login.ts';
import { purgeIdentity } from './purge-identity.ts';
import { DAY, later, LIMITS, NOW, signer, useIdentity } from './testing/open-identity.ts';

const identity = useIdentity();
const purge = (at: Date) => purgeIdentity(identity().db, at);

beforeEach(() => identity().query('truncate gateway.login_failure, gateway.invitation, gateway.login cascade'));

describe('the cleanup of expired rows', () => {
  it('deletes nothing that can still be used', async () => {
    const owner = await identity().addAccount();
    const invited = await identity().addUser(owner.accountId, { passwordHash: null });
    const tokens = await identity().logIn(owner);
    // A bucket whose only attempt was refunded after a correct password is removed immediately.
    await purge(NOW);
    await identity().run((trx) => issueInvitation(trx, invited, later(DAY)));
    await identity().tryLogin(owner.username, 'wrong');
    expect(await purge(NOW)).toEqual({ failures: 0, logins: 0, invitations: 0 });
    expect(await identity().authenticate(tokens.accessToken)).toBeDefined();
  });

  it('deletes failures after one minute, and invitations after their expiry', async () => {
    const owner = await identity().addAccount();
    const invited = await identity().addUser(owner.accountId, { passwordHash: null });
    await identity().run((trx) => issueInvitation(trx, invited, later(DAY)));
    await identity().tryLogin(owner.username, 'wrong');
    expect(await purge(later(61))).toMatchObject({ failures: 3, invitations: 0 });
    expect(await purge(later(DAY + 1))).toMatchObject({ failures: 0, invitations: 1 });
  });

  it('deletes a login and its tokens one day after it could last be refreshed, because an access token may be valid longer (ACC-9)', async () => {
    const owner = await identity().addAccount();
    const { refreshToken } = await identity().logIn(owner);
    expect(await purge(later(8 * DAY))).toMatchObject({ logins: 0 });
    expect(await purge(later(8 * DAY + 1))).toMatchObject({ logins: 1 });
    expect(await identity().query('select 1 from gateway.refresh_token')).toEqual([]);
    const refreshed = await identity().run((trx) => refreshLogin(trx, { refreshToken, signer, now: NOW }, LIMITS));
    expect(refreshed.kind).toBe('unknown');
  });

  it('retains a login that was refreshed, however old it is', async () => {
    const owner = await identity().addAccount();
    const { refreshToken } = await identity().logIn(owner);
    const refreshed = await identity().run((trx) =>
      refreshLogin(trx, { refreshToken, signer, now: later(6 * DAY) }, LIMITS),
    );
    expect(refreshed.kind).toBe('refreshed');
    expect(await purge(later(9 * DAY))).toMatchObject({ logins: 0 });
  });

  it('counts each row only once in parallel runs', async () => {
    const owner = await identity().addAccount();
    for (let index = 0; index < 3; index += 1) await identity().logIn(owner);
    const purged = await Promise.all(Array.from({ length: 4 }, () => purge(later(9 * DAY))));
    expect(purged.reduce((sum, { logins }) => sum + logins, 0)).toBe(3);
  });
});
