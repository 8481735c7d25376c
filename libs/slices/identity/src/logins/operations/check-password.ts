import type { AnyDatabase } from '@steward/database';
import { passwordTurns, verifyNobody, verifyPassword } from '../../passwords/password-hash.ts';
import { hashAddress } from '../rules/hash-address.ts';
import { countLoginAttempt, giveBackLoginAttempt, readLoginBlock, type Buckets } from '../store/login-budget.store.ts';
import { isLoggedInFrom } from '../store/login.store.ts';
import type { UserWithRole } from '../../users/rules/user.ts';

export interface LoginLimits {
  /** Failures in one minute per name and address; an address, and a name from everywhere, may have five times as many. */
  readonly failuresPerMinute: number;
}

export interface PasswordAttempt {
  /** Undefined when nobody has the name. */
  readonly user: UserWithRole | undefined;
  /** What was typed. */
  readonly login: string;
  readonly password: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly addressKey: string;
  readonly now: () => Date;
}

export type PasswordVerdict =
  { readonly kind: 'right' | 'wrong' } | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

const WIDER_FACTOR = 5;

/**
 * Judges a password within the budget of failures. An unknown name, a user without a password and one who was deactivated
 * cost the same work as a wrong password and get the same answer. The attempt is counted when its turn comes and before it
 * is judged, and given back when it was right: what is running at once, in whatever process, cannot pass the budget, and
 * honest log-ins use none of it.
 * @throws rate_limited, unavailable when the queue of hashes is full
 */
export async function checkPassword(
  db: AnyDatabase,
  attempt: PasswordAttempt,
  limits: LoginLimits,
): Promise<PasswordVerdict> {
  const buckets = await listBuckets(db, attempt, limits);
  // Asked before it takes a place in the queue: who guesses on does not stand in the way of the others.
  const blockedSeconds = await readLoginBlock(db, buckets, attempt.now());
  if (blockedSeconds > 0) return { kind: 'blocked', retryAfterSeconds: blockedSeconds };
  return passwordTurns.run(attempt.addressKey, async () => {
    if (!(await countLoginAttempt(db, buckets, attempt.now()))) {
      const seconds = await readLoginBlock(db, buckets, attempt.now());
      return { kind: 'blocked', retryAfterSeconds: Math.max(1, seconds) };
    }
    if (!(await matches(attempt))) return { kind: 'wrong' };
    await giveBackLoginAttempt(db, buckets);
    return { kind: 'right' };
  });
}

function matches({ user, password }: PasswordAttempt): Promise<boolean> {
  if (user === undefined || user.password_hash === null || !user.is_active) return verifyNobody(password);
  return verifyPassword(password, user.password_hash);
}

/**
 * A name is counted per address, so that strangers who guess do not lock its owner out; from everywhere together it has a
 * larger budget, which whoever has many addresses can use up: it does not count where the user is logged in already.
 * Username and e-mail of one user are one name.
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
