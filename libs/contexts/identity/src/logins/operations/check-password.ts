import type { AnyDatabase } from '@steward/database';
import { passwordTurns, verifyNobody, verifyPassword } from '../../passwords/password-hash.ts';
import { hashAddress } from '../rules/hash-address.ts';
import { countLoginAttempt, refundLoginAttempt, readLoginBlock, type Buckets } from '../store/login-budget.store.ts';
import { isLoggedInFrom } from '../store/login.store.ts';
import type { UserWithRole } from '../../users/rules/user.ts';

export interface LoginLimits {
  /**
   * Maximum number of failures per minute for a name at one address; for an address, and for a name over all addresses,
   * the limit is five times as high.
   */
  readonly failuresPerMinute: number;
}

export interface PasswordAttempt {
  /** User with the name; undefined if there is none. */
  readonly user: UserWithRole | undefined;
  /** The login name as entered. */
  readonly login: string;
  readonly password: string;
  /** Address of the sender: an IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly addressKey: string;
  readonly now: () => Date;
}

export type PasswordVerdict =
  { readonly kind: 'right' | 'wrong' } | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

const WIDER_FACTOR = 5;

/**
 * Checks a password within the limit of failed attempts. An unknown name, a user without a password and a deactivated
 * user take as much work as a wrong password and get the same response. An attempt is counted after it leaves the queue
 * and before the check, and is refunded if the password was correct: concurrent attempts, in any process, cannot exceed
 * the limit, and correct logins do not count.
 * @throws rate_limited if the sender's share of the queue is used up, unavailable if the queue is full
 */
export async function checkPassword(
  db: AnyDatabase,
  attempt: PasswordAttempt,
  limits: LoginLimits,
): Promise<PasswordVerdict> {
  const buckets = await listBuckets(db, attempt, limits);
  // The limit is checked before the attempt enters the queue, so that an attacker who keeps guessing does not delay
  // others.
  const blockedSeconds = await readLoginBlock(db, buckets, attempt.now());
  if (blockedSeconds > 0) return { kind: 'blocked', retryAfterSeconds: blockedSeconds };
  return passwordTurns.run(attempt.addressKey, async () => {
    if (!(await countLoginAttempt(db, buckets, attempt.now()))) {
      const seconds = await readLoginBlock(db, buckets, attempt.now());
      return { kind: 'blocked', retryAfterSeconds: Math.max(1, seconds) };
    }
    if (!(await matches(attempt))) return { kind: 'wrong' };
    await refundLoginAttempt(db, buckets);
    return { kind: 'right' };
  });
}

function matches({ user, password }: PasswordAttempt): Promise<boolean> {
  if (user === undefined || user.password_hash === null || !user.is_active) return verifyNobody(password);
  return verifyPassword(password, user.password_hash);
}

/**
 * Returns the buckets in which an attempt is counted. Attempts for a name are counted per address, so that strangers
 * who guess passwords do not lock out its owner. The limit over all addresses is higher, but an attacker with many
 * addresses can use it up; therefore this limit does not apply to an address at which the user is already logged in.
 * The username and the email address of one user count as one name.
 */
async function listBuckets(
  db: AnyDatabase,
  { user, login, addressKey, now }: PasswordAttempt,
  { failuresPerMinute }: LoginLimits,
): Promise<Buckets> {
  const name = user === undefined ? `name:${login.toLowerCase()}` : `user:${user.id}`;
  const pair = { name: `${name} from ${addressKey}`, limit: failuresPerMinute };
  const address = { name: `address:${addressKey}`, limit: failuresPerMinute * WIDER_FACTOR };
  if (user !== undefined && (await isLoggedInFrom(db, user.id, hashAddress(user.id, addressKey), now())))
    return [pair, address];
  return [pair, address, { name, limit: failuresPerMinute * WIDER_FACTOR }];
}
