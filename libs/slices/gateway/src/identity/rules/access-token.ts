import { hkdfSync, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { isUuid } from '@steward/runtime';

export type TokenKind = 'access' | 'refresh';

export interface TokenClaims {
  readonly userId: string;
  readonly accountId: string;
  /** Must equal the user's; raising it there ends every token. */
  readonly generation: number;
}

export interface TokenSigner {
  sign(kind: TokenKind, claims: TokenClaims, lifetimeSeconds: number, now: Date): Promise<string>;
  /** The claims, or undefined for a token that is forged, expired or of the other kind. */
  verify(kind: TokenKind, token: string, now: Date): Promise<TokenClaims | undefined>;
}

const ISSUER = 'steward';

/** HS256 under a key of its own, derived from SECRET_KEY. A refresh token is not an access token, whoever sends it. */
export function createTokenSigner(secretKey: string): TokenSigner {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, 'steward-token', 'user-token', 32));
  return {
    sign: (kind, claims, lifetimeSeconds, now) => {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ typ: kind, account_id: claims.accountId, gen: claims.generation })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setSubject(claims.userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(key);
    },
    async verify(kind, token, now) {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], issuer: ISSUER, currentDate: now });
        const { sub, account_id: accountId, gen, typ } = payload;
        if (typ !== kind || !isUuid(sub) || !isUuid(accountId) || typeof gen !== 'number') return undefined;
        return { userId: sub, accountId, generation: gen };
      } catch {
        // Whatever is wrong with it, the caller is not authenticated.
        return undefined;
      }
    },
  };
}
