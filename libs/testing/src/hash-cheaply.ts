import { randomBytes, scryptSync } from 'node:crypto';

/** Returns a password hash that is verified like any other, but quickly: the hash contains its cost parameters. */
export function hashCheaply(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password.normalize('NFKC'), salt, 32, { N: 2, r: 8, p: 1 });
  return ['scrypt', 2, 8, 1, salt.toString('base64'), key.toString('base64')].join('$');
}
