import { hkdfSync, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT, type JWTVerifyOptions, type JWTVerifyResult } from 'jose';
import { identifyKey, isUuid } from '@steward/crypto';

export interface TokenClaims {
  readonly userId: string;
  readonly accountId: string;
  /** Must equal the user's; raising it there ends every token. */
  readonly generation: number;
  /** The login it belongs to: with its end the token is worth nothing. */
  readonly loginId: string;
}

export interface TokenSigner {
  /** Seconds a token lives. */
  readonly lifetimeSeconds: number;
  /** For a shorter life, too; none is longer than the signer's. */
  sign(claims: TokenClaims, now: Date, lifetimeSeconds?: number): Promise<string>;
  /** The claims, or undefined for a token that is forged, expired or older than any token may become. */
  verify(token: string, now: Date): Promise<TokenClaims | undefined>;
}

const ISSUER = 'steward';
/** Clocks of two gateway processes may differ; a token from further ahead was not made by one of them. */
const CLOCK_SKEW_SECONDS = 60;

/**
 * HS256 under keys of their own, derived from SECRET_KEY: signed under the first, named in the header, verified under the one
 * that is named. The lifetime counts from `iat` when a token is verified, whatever `exp` says: a token made elsewhere lives
 * no longer than one made here.
 */
export function createTokenSigner(
  secretKeys: string | readonly [string, ...string[]],
  lifetimeSeconds: number,
): TokenSigner {
  const [current, ...previous] = typeof secretKeys === 'string' ? [secretKeys] : secretKeys;
  const signing = deriveTokenKey(current);
  const keys = [signing, ...previous.map(deriveTokenKey)];
  return {
    lifetimeSeconds,
    sign: (claims, now, seconds = lifetimeSeconds) => {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ typ: 'access', account_id: claims.accountId, gen: claims.generation, login: claims.loginId })
        .setProtectedHeader({ alg: 'HS256', kid: signing.id })
        .setIssuer(ISSUER)
        .setSubject(claims.userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .setJti(randomUUID())
        .sign(signing.key);
    },
    async verify(token, now) {
      try {
        const { payload } = await verifyWithRing(keys, token, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          currentDate: now,
          requiredClaims: ['exp', 'iat'],
        });
        const { sub, account_id: accountId, gen, typ, login, iat = 0 } = payload;
        const ageSeconds = now.getTime() / 1000 - iat;
        if (ageSeconds < -CLOCK_SKEW_SECONDS || ageSeconds > lifetimeSeconds) return undefined;
        if (typ !== 'access' || !isUuid(sub) || !isUuid(accountId) || !isUuid(login) || typeof gen !== 'number')
          return undefined;
        return { userId: sub, accountId, generation: gen, loginId: login };
      } catch {
        // Whatever is wrong with it, the caller is not authenticated.
        return undefined;
      }
    },
  };
}

interface TokenKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Under the key that the token names; one without a name is of the time before keys had ids, and may be of any. */
async function verifyWithRing(
  keys: readonly TokenKey[],
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  const { kid } = decodeProtectedHeader(token);
  let failure: unknown = new Error('signed with an unknown key');
  for (const { id, key } of keys) {
    if (kid !== undefined && kid !== id) continue;
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function deriveTokenKey(secretKey: string): TokenKey {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, 'steward-token', 'user-token', 32));
  return { id: identifyKey(key).toString('hex'), key };
}
