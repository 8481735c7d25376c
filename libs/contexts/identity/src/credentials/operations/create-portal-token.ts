import { randomBytes } from 'node:crypto';
import { buildPortalToken, hashCredential } from '../rules/credential-text.ts';

/** Creates the credential of a new portal link: the token is shown once, and only its hash is stored. */
export function createPortalToken(): { readonly token: string; readonly tokenHash: Buffer } {
  const token = buildPortalToken(randomBytes);
  return { token, tokenHash: hashCredential(token) };
}
