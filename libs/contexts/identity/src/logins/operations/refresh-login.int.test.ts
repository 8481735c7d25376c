import { DAY, later, LIMITS, NOW, signer, useIdentity } from '../../testing/open-identity.ts';
import type { User } from '../../users/rules/user.ts';
import type { IssuedTokens } from './login.ts';
import { refreshLogin } from './refresh-login.ts';

const identity = useIdentity();

const toInput = (refreshToken: string, now: Date) => ({ refreshToken, signer, now });
const refresh = (refreshToken: string, now = NOW) =>
  identity().run((trx) => refreshLogin(trx, toInput(refreshToken, now), LIMITS));
const requireTokens = (outcome: Awaited<ReturnType<typeof refresh>>): IssuedTokens => {
  if (outcome.kind !== 'refreshed') throw new Error(outcome.kind);
  return outcome.tokens;
};
const readExpiry = async ({ id }: User) =>
  (
    await identity().query<{ expires_at: Date; ends_at: Date }>(
      'select expires_at, ends_at from gateway.login where user_id = $1',
      [id],
    )
  )[0];

describe('exchanging a refresh token (ACC-10)', () => {
  it('returns new tokens of both kinds for the same login, and the previous access token remains valid', async () => {
    const owner = await identity().addAccount();
    const first = await identity().logIn(owner);
    const second = requireTokens(await refresh(first.refreshToken, later(1)));
    expect(second.refreshToken).not.toBe(first.refreshToken);
    const principals = [
      await identity().authenticate(first.accessToken, later(1)),
      await identity().authenticate(second.accessToken, later(1)),
    ];
    expect(principals[0]).toBeDefined();
    expect(principals[1]).toEqual(principals[0]);
  });

  it('works repeatedly, once with each token', async () => {
    const owner = await identity().addAccount();
    let { refreshToken } = await identity().logIn(owner);
    for (let day = 1; day <= 5; day += 1)
      ({ refreshToken } = requireTokens(await refresh(refreshToken, later(day * DAY))));
    expect((await refresh(refreshToken, later(6 * DAY))).kind).toBe('refreshed');
  });

  it('a second time ends the login, and invalidates the tokens issued for it', async () => {
    const owner = await identity().addAccount();
    const first = await identity().logIn(owner);
    const second = requireTokens(await refresh(first.refreshToken));
    const elsewhere = await identity().logIn(owner);
    expect(await refresh(first.refreshToken)).toEqual({
      kind: 'reused',
      accountId: owner.accountId,
      userId: owner.id,
    });
    for (const dead of [first, second]) {
      expect(await identity().authenticate(dead.accessToken)).toBeUndefined();
      expect(await refresh(dead.refreshToken)).toEqual({ kind: 'unknown' });
    }
    // Another login of the same user is not affected.
    expect(await identity().authenticate(elsewhere.accessToken)).toBeDefined();
  });

  it('twice at the same moment: one request receives tokens, and the other invalidates them', async () => {
    const owner = await identity().addAccount();
    const { refreshToken } = await identity().logIn(owner);
    const [first, second] = await identity().overlap(
      (trx) => refreshLogin(trx, toInput(refreshToken, NOW), LIMITS),
      () => refresh(refreshToken),
    );
    expect(second.kind).toBe('reused');
    const tokens = requireTokens(first);
    expect(await identity().authenticate(tokens.accessToken)).toBeUndefined();
    expect((await refresh(tokens.refreshToken)).kind).toBe('unknown');
  });

  it('leaves no active login after many simultaneous exchanges', async () => {
    const owner = await identity().addAccount();
    const { accessToken, refreshToken } = await identity().logIn(owner);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
    const count = (kind: string) => outcomes.filter((outcome) => outcome.kind === kind).length;
    expect([count('refreshed'), count('reused'), count('unknown')]).toEqual([1, 1, 6]);
    expect(await identity().authenticate(accessToken)).toBeUndefined();
    expect(await readExpiry(owner)).toBeUndefined();
  });

  it('does not use up the token if the transaction fails', async () => {
    const owner = await identity().addAccount();
    const { refreshToken } = await identity().logIn(owner);
    const failing = identity().run(async (trx) => {
      await refreshLogin(trx, toInput(refreshToken, NOW), LIMITS);
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    expect((await refresh(refreshToken)).kind).toBe('refreshed');
  });

  it.each(['', 'stw_rt_', 'stw_rt_unknown', 'x'.repeat(100_000), '漢', '\u0000'])(
    'refuses %j, like any other string that is not a refresh token',
    async (text) => {
      expect(await refresh(text)).toEqual({ kind: 'unknown' });
    },
  );

  it('does not accept an access token, key or invitation', async () => {
    const owner = await identity().addAccount();
    const { accessToken } = await identity().logIn(owner);
    const { key } = await identity().addKey(owner);
    for (const other of [accessToken, key]) expect(await refresh(other)).toEqual({ kind: 'unknown' });
  });
});

describe('a refresh token (ACC-9)', () => {
  it('is valid for seven days, after which its login also ends', async () => {
    const owner = await identity().addAccount();
    const { refreshToken } = await identity().logIn(owner);
    expect(await refresh(refreshToken, later(7 * DAY))).toEqual({ kind: 'unknown' });
    // The token was not used up: at an earlier time it is still accepted.
    expect((await refresh(refreshToken, later(7 * DAY - 0.001))).kind).toBe('refreshed');
  });

  it('has a new lifetime after each exchange, which never exceeds the end of the login', async () => {
    const owner = await identity().addAccount();
    let { refreshToken } = await identity().logIn(owner);
    const ends = later(30 * DAY);
    for (const day of [6, 12, 18, 24, 29]) {
      ({ refreshToken } = requireTokens(await refresh(refreshToken, later(day * DAY))));
      const expires = later(Math.min(day + 7, 30) * DAY);
      expect(await readExpiry(owner)).toEqual({ expires_at: expires, ends_at: ends });
    }
    expect(await refresh(refreshToken, ends)).toEqual({ kind: 'unknown' });
  });

  it('is kept after use, so that the use of a copy is detected weeks later', async () => {
    const owner = await identity().addAccount();
    const first = await identity().logIn(owner);
    let { refreshToken } = first;
    for (const day of [6, 12, 18]) ({ refreshToken } = requireTokens(await refresh(refreshToken, later(day * DAY))));
    expect((await refresh(first.refreshToken, later(20 * DAY))).kind).toBe('reused');
    expect(await refresh(refreshToken, later(20 * DAY))).toEqual({ kind: 'unknown' });
  });

  it('is deleted if it is the oldest of a thousand used ones, so that no client can fill the table with one login', async () => {
    const owner = await identity().addAccount();
    const { refreshToken } = await identity().logIn(owner);
    await identity().query(
      `insert into gateway.refresh_token (token_hash, login_id, expires_at, used_at)
       select sha256(n::text::bytea), l.id, $2, $2::timestamptz - make_interval(secs => n)
       from gateway.login l, generate_series(1, 1005) n where l.user_id = $1`,
      [owner.id, NOW],
    );
    expect((await refresh(refreshToken)).kind).toBe('refreshed');
    const [kept] = await identity().query<{ used: number }>(
      `select count(*) filter (where used_at is not null)::int as used from gateway.refresh_token t
       join gateway.login l on l.id = t.login_id where l.user_id = $1`,
      [owner.id],
    );
    expect(kept?.used).toBe(1000);
  });
});
