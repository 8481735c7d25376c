import type { Edition } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { TokenSigner } from '../rules/access-token.ts';
import { verifyNobody, verifyPassword } from '../rules/password-hash.ts';
import { clearLoginFailures, countLoginFailure, readLoginBlock } from '../store/login-failure.store.ts';
import * as users from '../store/user.store.ts';
import type { User } from '../user.ts';
import { toUser } from './manage-users.ts';

export interface LoginLimits {
  /** Failures per username in one minute; an address may have five times as many. */
  readonly failuresPerMinute: number;
}

export type LoginOutcome =
  | { readonly kind: 'logged_in'; readonly user: User; readonly tokenGeneration: number }
  /** `accountId` is set when the name exists, for the audit log alone. */
  | { readonly kind: 'wrong'; readonly accountId: string | undefined; readonly userId: string | undefined }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

const ADDRESS_FACTOR = 5;

/** Checks a password. An unknown name costs the same work as a wrong password and gets the same answer. */
export async function login(
  db: AnyDatabase,
  input: { readonly login: string; readonly password: string; readonly remoteAddress: string; readonly now: Date },
  options: LoginLimits & { readonly edition: Edition },
): Promise<LoginOutcome> {
  const buckets = [
    { name: `user:${input.login.toLowerCase()}`, limit: options.failuresPerMinute },
    { name: `address:${input.remoteAddress}`, limit: options.failuresPerMinute * ADDRESS_FACTOR },
  ];
  const blockedSeconds = await readLoginBlock(db, buckets, input.now);
  if (blockedSeconds > 0) return { kind: 'blocked', retryAfterSeconds: blockedSeconds };
  const user = await users.findUserByLogin(db, input.login);
  const matches =
    user === undefined ? await verifyNobody(input.password) : await verifyPassword(input.password, user.password_hash);
  if (user === undefined || !matches || !user.is_active) {
    for (const bucket of buckets) await countLoginFailure(db, bucket.name, input.now);
    return { kind: 'wrong', accountId: user?.account_id, userId: user?.id };
  }
  await clearLoginFailures(db, buckets[0]?.name ?? '');
  return { kind: 'logged_in', user: toUser(user, options.edition), tokenGeneration: user.token_generation };
}

export interface TokenLifetimes {
  readonly accessTokenMinutes: number;
  readonly refreshTokenDays: number;
}

/** Both tokens of a login, in the shape of the OAuth2 token answer. */
export async function issueTokens(
  signer: TokenSigner,
  user: { readonly id: string; readonly accountId: string; readonly tokenGeneration: number },
  lifetimes: TokenLifetimes,
  now: Date,
): Promise<{ accessToken: string; refreshToken: string; expiresInSeconds: number }> {
  const claims = { userId: user.id, accountId: user.accountId, generation: user.tokenGeneration };
  const expiresInSeconds = lifetimes.accessTokenMinutes * 60;
  return {
    accessToken: await signer.sign('access', claims, expiresInSeconds, now),
    refreshToken: await signer.sign('refresh', claims, lifetimes.refreshTokenDays * 86_400, now),
    expiresInSeconds,
  };
}

/** The user of a valid refresh token, or undefined. */
export async function findUserOfRefreshToken(
  db: AnyDatabase,
  signer: TokenSigner,
  token: string,
  now: Date,
): Promise<{ id: string; accountId: string; tokenGeneration: number } | undefined> {
  const claims = await signer.verify('refresh', token, now);
  if (claims === undefined) return undefined;
  const user = await users.findUserById(db, claims.userId);
  if (user === undefined || !user.is_active || user.token_generation !== claims.generation) return undefined;
  return { id: user.id, accountId: user.account_id, tokenGeneration: user.token_generation };
}
