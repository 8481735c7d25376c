import { hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { createTokenSigner } from './access-token.ts';

const SECRET = 'a-secret-key-for-tests-only-0123456789';
const signer = createTokenSigner(SECRET, 60);
const claims = {
  userId: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
  accountId: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12',
  generation: 3,
  loginId: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b13',
};
const now = new Date('2026-11-21T10:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);

/** Returns a token signed with the valid key, with the claims that the test sets. */
function forge(payload: Record<string, unknown>): Promise<string> {
  const key = new Uint8Array(hkdfSync('sha256', SECRET, 'steward-token', 'user-token', 32));
  const all = { typ: 'access', account_id: claims.accountId, gen: 3, login: claims.loginId, sub: claims.userId };
  return new SignJWT({ ...all, iss: 'steward', ...payload }).setProtectedHeader({ alg: 'HS256' }).sign(key);
}

describe('access tokens (ACC-9)', () => {
  it('contain user, account, generation and login ids', async () => {
    const token = await signer.sign(claims, now);
    expect(await signer.verify(token, later(30))).toEqual(claims);
  });

  it('expire', async () => {
    const token = await signer.sign(claims, now);
    expect(await signer.verify(token, later(61))).toBeUndefined();
  });

  it('expire according to the service’s limit, whatever they claim', async () => {
    const seconds = now.getTime() / 1000;
    const tenYears = { exp: seconds + 315_360_000 };
    expect(await signer.verify(await forge({ iat: seconds, ...tenYears }), now)).toEqual(claims);
    expect(await signer.verify(await forge({ iat: seconds - 61, ...tenYears }), now)).toBeUndefined();
    expect(await signer.verify(await forge({ iat: seconds + 3600, ...tenYears }), now)).toBeUndefined();
    expect(await signer.verify(await forge(tenYears), now)).toBeUndefined();
    expect(await signer.verify(await forge({ iat: seconds }), now)).toBeUndefined();
  });

  it('are refused without a login, or if they are of another kind', async () => {
    const seconds = now.getTime() / 1000;
    const times = { iat: seconds, exp: seconds + 60 };
    expect(await signer.verify(await forge({ ...times, login: undefined }), now)).toBeUndefined();
    expect(await signer.verify(await forge({ ...times, typ: 'refresh' }), now)).toBeUndefined();
  });

  it('are refused if they are signed with another key, unsigned or altered', async () => {
    const token = await signer.sign(claims, now);
    const other = createTokenSigner('another-secret-key-for-tests-0123456789', 60);
    const [, body] = token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const foreign = await new SignJWT({ typ: 'access' }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32));
    expect(await other.verify(token, now)).toBeUndefined();
    for (const forged of [unsigned, foreign, `${token}x`, 'a.b.c', '']) {
      expect(await signer.verify(forged, now)).toBeUndefined();
    }
  });
});

describe('access tokens during a key rotation', () => {
  const CURRENT = 'the-next-secret-key-for-tests-9876543210';
  const ring = createTokenSigner([CURRENT, SECRET], 60);
  const alone = createTokenSigner(CURRENT, 60);

  it('remain valid with the previous key until it is removed, and new tokens use the current key', async () => {
    const former = await signer.sign(claims, now);
    const current = await ring.sign(claims, now);
    expect(await ring.verify(former, now)).toEqual(claims);
    expect(await alone.verify(former, now)).toBeUndefined();
    expect(await alone.verify(current, now)).toEqual(claims);
    expect(await signer.verify(current, now)).toBeUndefined();
  });

  it('are checked with each key if they have no key id', async () => {
    const seconds = now.getTime() / 1000;
    const unnamed = await forge({ iat: seconds, exp: seconds + 60 });
    expect(await ring.verify(unnamed, now)).toEqual(claims);
    expect(await alone.verify(unnamed, now)).toBeUndefined();
  });
});

describe('altered access tokens', () => {
  it('are refused, for any changed character of the header or the claims', async () => {
    const token = await signer.sign(claims, now);
    const length = token.lastIndexOf('.');
    await fc.assert(
      fc.asyncProperty(fc.nat(length - 1), fc.stringMatching(/^[\w.-]$/), async (at, character) => {
        fc.pre(token[at] !== character);
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect(await signer.verify(changed, now)).toBeUndefined();
      }),
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'somebody-else' }],
    ['a list of issuers', { iss: ['steward'] }],
    ['a user id that is not an id', { sub: "' or true --" }],
    ['an account id that is not an id', { account_id: 7 }],
    ['a generation that is a string', { gen: '3' }],
    ['no generation', { gen: null }],
    ['a start time that is a string', { iat: 'now' }],
    ['a start time in the future', { nbf: now.getTime() / 1000 + 30 }],
  ])('with %s are refused, although they are signed', async (_case, payload) => {
    const seconds = now.getTime() / 1000;
    const token = await forge({ iat: seconds, exp: seconds + 60, ...payload });
    expect(await signer.verify(token, now)).toBeUndefined();
  });

  it('are refused with a wrong key id, even if the signing key is valid', async () => {
    const seconds = now.getTime() / 1000;
    const key = new Uint8Array(hkdfSync('sha256', SECRET, 'steward-token', 'user-token', 32));
    const sign = (kid: string) =>
      new SignJWT({ typ: 'access', account_id: claims.accountId, gen: 3, login: claims.loginId })
        .setProtectedHeader({ alg: 'HS256', kid })
        .setIssuer('steward')
        .setSubject(claims.userId)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + 60)
        .sign(key);
    const { kid = '' } = decodeProtectedHeader(await signer.sign(claims, now));
    expect(await signer.verify(await sign(kid), now)).toEqual(claims);
    for (const other of ['', 'unknown', kid.toUpperCase() === kid ? `${kid}x` : kid.toUpperCase()])
      expect(await signer.verify(await sign(other), now)).toBeUndefined();
  });

  it('are refused if they are signed with the raw secret, because the token key is derived from it', async () => {
    const seconds = now.getTime() / 1000;
    const token = await new SignJWT({ typ: 'access', account_id: claims.accountId, gen: 3, login: claims.loginId })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('steward')
      .setSubject(claims.userId)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 60)
      .sign(new TextEncoder().encode(SECRET));
    expect(await signer.verify(token, now)).toBeUndefined();
  });
});

describe('the claims of an access token (API-15)', () => {
  it('are only ids and times, not names, permissions or roles, which are read for each request (ACC-16)', async () => {
    const token = await signer.sign(claims, now);
    expect(Object.keys(decodeJwt(token)).sort()).toEqual(
      [...['account_id', 'exp', 'gen', 'iat', 'iss', 'jti'], ...['login', 'sub', 'typ']].sort(),
    );
    expect(Object.keys(decodeProtectedHeader(token)).sort()).toEqual(['alg', 'kid']);
  });

  it('differ each time, even within a second', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => signer.sign(claims, now)));
    expect(new Set(tokens).size).toBe(20);
  });

  it('fit into a header, and any other string is refused', async () => {
    expect((await signer.sign(claims, now)).length).toBeLessThan(700);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 500 }), async (text) => {
        expect(await signer.verify(text, now)).toBeUndefined();
      }),
    );
  });
});

describe('the lifetime of an access token (ACC-9)', () => {
  it('is exactly the lifetime that its signer was configured with, to the second', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 86_400 }), async (lifetime) => {
        const short = createTokenSigner(SECRET, lifetime);
        const token = await short.sign(claims, now);
        expect(short.lifetimeSeconds).toBe(lifetime);
        expect(await short.verify(token, later(lifetime - 0.5))).toEqual(claims);
        expect(await short.verify(token, later(lifetime + 1))).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it('ends early if the setting is lowered', async () => {
    const token = await signer.sign(claims, now);
    const shorter = createTokenSigner(SECRET, 10);
    expect(await shorter.verify(token, later(9))).toEqual(claims);
    expect(await shorter.verify(token, later(11))).toBeUndefined();
  });

  it('tolerates a clock that is up to a minute behind', async () => {
    const token = await signer.sign(claims, now);
    expect(await signer.verify(token, later(-59))).toEqual(claims);
    expect(await signer.verify(token, later(-61))).toBeUndefined();
  });
});
