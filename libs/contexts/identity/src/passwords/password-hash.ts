import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { createHashQueue } from './rules/hash-queue.ts';

/**
 * Cost of a hash: it uses 128 x N x r = 32 MiB of memory and takes about 80 ms on one core. Tests of other features use
 * a lower value.
 */
export const PASSWORD_COST = { N: 32_768, r: 8, p: 1 };
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Queue for all hashes of this process: a flood of logins uses at most two times 32 MiB, and the last job of a full
 * queue waits about five seconds if two cores are available.
 */
export const passwordTurns = createHashQueue({ maxRunning: 2, maxWaiting: 120, maxWaitingPerSender: 60 });

/**
 * Returns the hash of a password in the format `scrypt$N$r$p$salt$key`: it contains its parameters, so that they can be
 * increased later.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { N, r, p } = PASSWORD_COST;
  const key = await derive(password, salt, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
}

/**
 * Returns whether a password matches a hash; the comparison takes the same time for any password. A malformed hash
 * never matches.
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64');
  const options = { N: Number(n), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64'), options);
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

/**
 * Computes a hash, as `verifyPassword` does, for a user who does not exist or cannot log in, so that the response time
 * does not reveal this.
 */
export async function verifyNobody(password: string): Promise<false> {
  await derive(password, Buffer.alloc(SALT_BYTES), PASSWORD_COST);
  return false;
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The password is normalized because two keyboards may encode the same character differently.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...options, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
