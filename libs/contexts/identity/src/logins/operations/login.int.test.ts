import { updateUser } from '../../users/operations/update-user.ts';
import { DAY, EDITION, hashCheaply, later, MINUTE, NOW, PASSWORD, useIdentity } from '../../testing/open-identity.ts';
import type { User } from '../../users/rules/user.ts';
import { replacePassword } from '../../users/store/user.store.ts';

const identity = useIdentity();

const readLogins = ({ id }: User) =>
  identity().query<{ id: string; expires_at: Date; ends_at: Date; address_hash: Buffer }>(
    'select * from gateway.login where user_id = $1 order by created_at, id',
    [id],
  );

describe('logging in (ACC-8)', () => {
  it.each(['username', 'email'] as const)('accepts the %s, in any letter case', async (field) => {
    const owner = await identity().addAccount();
    for (const name of [owner[field], owner[field].toUpperCase()])
      expect(await identity().tryLogin(name)).toMatchObject({ kind: 'logged_in', user: { id: owner.id } });
  });

  it('returns valid tokens of both kinds, and the user', async () => {
    const owner = await identity().addAccount();
    const outcome = await identity().tryLogin(owner.username);
    expect(outcome).toMatchObject({ kind: 'logged_in', user: owner, tokens: { expiresInSeconds: 60 * MINUTE } });
    const { tokens } = outcome as Extract<typeof outcome, { kind: 'logged_in' }>;
    expect(tokens.refreshToken).toMatch(/^stw_rt_[\w-]{43}$/);
    expect(await identity().authenticate(tokens.accessToken)).toMatchObject({ userId: owner.id });
    expect(await identity().authenticate(tokens.refreshToken)).toBeUndefined();
  });

  it('accepts the password in another Unicode encoding of the same characters (ACC-7)', async () => {
    const owner = await identity().addAccount();
    const hash = hashCheaply('caf\u00e9 au lait');
    await identity().query('update gateway.user_account set password_hash = $2 where id = $1', [owner.id, hash]);
    expect((await identity().tryLogin(owner.username, 'cafe\u0301 au lait')).kind).toBe('logged_in');
    expect((await identity().tryLogin(owner.username, 'Caf\u00e9 au lait')).kind).toBe('wrong');
  });

  it.each(['', ` ${PASSWORD}`, `${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1)])(
    'does not accept %j as the password',
    async (password) => {
      const owner = await identity().addAccount();
      expect(await identity().tryLogin(owner.username, password)).toEqual({
        kind: 'wrong',
        accountId: owner.accountId,
        userId: owner.id,
      });
      expect(await readLogins(owner)).toEqual([]);
    },
  );

  it('returns the same result for everybody who cannot log in; only the audit log names the user (ACC-12)', async () => {
    const owner = await identity().addAccount();
    const invited = await identity().addUser(owner.accountId, { passwordHash: null });
    const gone = await identity().addUser(owner.accountId);
    await identity().query('update gateway.user_account set is_active = false where id = $1', [gone.id]);
    const { accountId } = owner;
    expect(await identity().tryLogin('nobody-at-all')).toEqual({ kind: 'wrong' });
    expect(await identity().tryLogin(invited.username)).toEqual({ kind: 'wrong', accountId, userId: invited.id });
    expect(await identity().tryLogin(gone.username)).toEqual({ kind: 'wrong', accountId, userId: gone.id });
  });

  it('does not store the tokens: the database contains only hashes (API-17)', async () => {
    const owner = await identity().addAccount();
    const { accessToken, refreshToken } = await identity().logIn(owner);
    const [row] = await identity().query<{ row: string }>(
      `select json_agg(t)::text || json_agg(l)::text as row from gateway.refresh_token t
       join gateway.login l on l.id = t.login_id where l.user_id = $1`,
      [owner.id],
    );
    const bare = refreshToken.slice('stw_rt_'.length);
    for (const secret of [bare, Buffer.from(bare).toString('hex'), accessToken.split('.')[2]])
      expect(row?.row).not.toContain(secret);
  });

  it('stores only a per-user hash of the client address', async () => {
    const [one, other] = [await identity().addAccount(), await identity().addAccount()];
    const hashOf = async (user: User, address: string) => {
      await identity().logIn(user, NOW, address);
      return (await readLogins(user)).at(-1)?.address_hash.toString('hex') ?? '';
    };
    const hashes = [await hashOf(one, '192.0.2.7'), await hashOf(other, '192.0.2.7'), await hashOf(one, '192.0.2.8')];
    expect(new Set(hashes).size).toBe(3);
    expect(await hashOf(one, '192.0.2.7')).toBe(hashes[0]);
  });
});

describe('the lifetime of a login (ACC-9)', () => {
  it('is thirty days, and that of its refresh token is seven days, according to the settings', async () => {
    const owner = await identity().addAccount();
    await identity().logIn(owner);
    expect(await readLogins(owner)).toMatchObject([{ expires_at: later(7 * DAY), ends_at: later(30 * DAY) }]);
  });

  it('also limits the lifetime of its access token', async () => {
    const owner = await identity().addAccount();
    const { accessToken } = await identity().logIn(owner);
    const ends = later(10 * MINUTE);
    await identity().query('update gateway.login set expires_at = $2, ends_at = $2 where user_id = $1', [
      owner.id,
      ends,
    ]);
    expect(await identity().authenticate(accessToken, later(10 * MINUTE - 1))).toBeDefined();
    expect(await identity().authenticate(accessToken, ends)).toBeUndefined();
  });

  it('ends early for the oldest of 500 logins of a user, but not for those of other users', async () => {
    const owner = await identity().addAccount();
    const other = await identity().addUser(owner.accountId);
    const ofOther = await identity().logIn(other, later(-130));
    const oldest = await identity().logIn(owner, later(-120));
    const second = await identity().logIn(owner, later(-60));
    await identity().query(
      `insert into gateway.login (id, account_id, user_id, created_at, expires_at, ends_at)
       select gen_random_uuid(), $2, $1, $3::timestamptz - make_interval(secs => n / 20.0), $4, $4
       from generate_series(1, 498) n`,
      [owner.id, owner.accountId, NOW, later(DAY)],
    );
    expect(await identity().authenticate(oldest.accessToken)).toBeDefined();
    await identity().logIn(owner);
    expect(await readLogins(owner)).toHaveLength(500);
    expect(await identity().authenticate(oldest.accessToken)).toBeUndefined();
    for (const kept of [second, ofOther]) expect(await identity().authenticate(kept.accessToken)).toBeDefined();
  });
});

describe('a login that is starting', () => {
  it('is refused if the password changes in the meantime (ACC-11)', async () => {
    const owner = await identity().addAccount();
    const [row] = await identity().query<{ password_hash: string }>(
      'select password_hash from gateway.user_account where id = $1',
      [owner.id],
    );
    const change = { userId: owner.id, formerHash: row?.password_hash ?? '', hash: hashCheaply('another password') };
    const [, outcome] = await identity().overlap(
      (trx) => replacePassword(trx, change),
      () => identity().tryLogin(owner.username),
    );
    expect(outcome.kind).toBe('wrong');
    expect(await readLogins(owner)).toEqual([]);
  });

  it('has the new role from its first request on if the role changes in the meantime (ACC-16)', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId, { role: 'admin' });
    const change = {
      accountId: owner.accountId,
      userId: user.id,
      role: 'viewer',
      now: NOW,
      authorize: () => undefined,
    };
    const [, outcome] = await identity().overlap(
      (trx) => updateUser(trx, change, EDITION),
      () => identity().tryLogin(user.username),
    );
    if (outcome.kind !== 'logged_in') throw new Error(outcome.kind);
    expect(await identity().authenticate(outcome.tokens.accessToken)).toMatchObject({ role: 'viewer' });
  });
});
