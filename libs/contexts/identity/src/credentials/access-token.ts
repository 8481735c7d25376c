import { hkdfSync, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT, type JWTVerifyOptions, type JWTVerifyResult } from 'jose';
import { identifyKey, isUuid } from '@steward/crypto';

export interface TokenClaims {
  readonly userId: string;
  readonly accountId: string;
  /**
   * Token generation of the user, which must equal the user's current generation; incrementing the latter invalidates
   * all earlier tokens.
   */
  readonly generation: number;
  /** The login to which the token belongs: when it ends, the token becomes invalid. */
  readonly loginId: string;
}

export interface TokenSigner {
  /** Lifetime of a token, in seconds. */
  readonly lifetimeSeconds: number;
  /** Returns a signed token. Its lifetime may be shorter than the signer's, but not longer. */
  sign(claims: TokenClaims, now: Date, lifetimeSeconds?: number): Promise<string>;
  /** Returns the claims; undefined for any invalid token, including one that is older than the maximum lifetime. */
  verify(token: string, now: Date): Promise<TokenClaims | undefined>;
}

const ISSUER = 'steward';
/**
 * Maximum difference between the clocks of two gateway processes; a token whose time of issue is further in the future
 * was not issued by one of them.
 */
const CLOCK_SKEW_SECONDS = 60;

/**
 * Creates the signer, which uses HS256 with keys derived from SECRET_KEY: a token is signed with the first key, whose
 * id is in the header, and verified with the key of that id. In addition to `exp`, verification limits the age of a
 * token since `iat`: a token signed elsewhere is not valid for longer than one signed here.
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
        // On any error, the caller is not authenticated.
        return undefined;
      }
    },
  };
}

interface TokenKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/**
 * Verifies a token with the key whose id is in its header; a token without a key id was issued by a version without key
 * ids, and may be signed with any of the keys.
 */
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
