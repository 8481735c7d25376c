import { createHash } from 'node:crypto';

const PREFIX = 'stw_';

/** `stw_` + 32 random bytes as base64url. */
export function buildApiKey(randomBytes: (size: number) => Buffer): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

export function isApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** What is stored: the key itself is shown once and never again. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}
