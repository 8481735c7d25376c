import { createHash } from 'node:crypto';

/** Length of a token: 32 random bytes, as base64url. */
const TOKEN_LENGTH = 43;

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function isLinkToken(text: string): boolean {
  return text.length === TOKEN_LENGTH && /^[A-Za-z0-9_-]+$/.test(text);
}
