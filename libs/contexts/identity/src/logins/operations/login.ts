import { randomBytes } from 'node:crypto';
import type { Edition } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import type { TokenClaims, TokenSigner } from '../../credentials/access-token.ts';
import { buildBrowserToken, buildRefreshToken, hashCredential } from '../../credentials/rules/credential-text.ts';
import { hashAddress } from '../rules/hash-address.ts';
import { addDays, earlier } from '../rules/login-times.ts';
import { deleteOldestLogins, insertLogin } from '../store/login.store.ts';
import * as users from '../../users/store/user.store.ts';
import { toUser, type User, type UserWithRole } from '../../users/rules/user.ts';
import { checkPassword, type LoginLimits } from './check-password.ts';

export interface TokenLifetimes {
  /** Lifetime of a single refresh token. */
  readonly refreshTokenDays: number;
  /** Lifetime of a login, however often it is refreshed. */
  readonly loginDays: number;
  /** Lifetime of an access token; default: that of the signer. */
  readonly accessTokenSeconds?: number;
}

/** Kind of client that has the refresh token: a program, or a browser that stores it as a cookie. */
export type LoginKind = 'program' | 'browser';

/** The tokens of a login, as in the OAuth2 token response. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/** Maximum number of logins per user; if a user has more, the oldest logins end. */
const MAX_LOGINS = 500;
const MAX_CLIENT_LENGTH = 300;

export type LoginOutcome =
  | { readonly kind: 'logged_in'; readonly user: User; readonly tokens: IssuedTokens }
  /** `accountId` and `userId` are set if the name exists; they are used only for the audit log. */
  | { readonly kind: 'wrong'; readonly accountId: string | undefined; readonly userId: string | undefined }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

export interface LoginDeps {
  readonly db: AnyDatabase;
  readonly signer: TokenSigner;
  readonly now: () => Date;
}

/**
 * Checks a password and starts a login: a family of tokens that become invalid together.
 * @throws like `checkPassword`
 */
export async function login(
  deps: LoginDeps,
  input: {
    readonly login: string;
    readonly password: string;
    readonly addressKey: string;
    readonly kind?: LoginKind;
    /** Name that the client chose for itself. */
    readonly client?: string | undefined;
  },
  options: LoginLimits & TokenLifetimes & { readonly edition: Edition },
): Promise<LoginOutcome> {
  const user = await users.findUserByLogin(deps.db, input.login);
  const verdict = await checkPassword(deps.db, { ...input, user, now: deps.now }, options);
  if (verdict.kind === 'blocked') return verdict;
  const wrong = { kind: 'wrong', accountId: user?.account_id, userId: user?.id } as const;
  if (verdict.kind === 'wrong' || user === undefined || user.password_hash === null) return wrong;
  const tokens = await startLogin(
    deps,
    { ...user, password_hash: user.password_hash, address_hash: hashAddress(user.id, input.addressKey) },
    { ...options, kind: input.kind ?? 'program', client: input.client },
  );
  return tokens === undefined ? wrong : { kind: 'logged_in', user: toUser(user, options.edition), tokens };
}

async function startLogin(
  { db, signer, now }: LoginDeps,
  user: UserWithRole & { readonly password_hash: string; readonly address_hash: Buffer },
  lifetimes: TokenLifetimes & { readonly kind: LoginKind; readonly client: string | undefined },
): Promise<IssuedTokens | undefined> {
  const id = newId();
  const refreshToken = newRefreshToken(lifetimes.kind);
  const issuedAt = now();
  const endsAt = addDays(issuedAt, lifetimes.loginDays);
  const generation = await insertLogin(db, {
    id,
    userId: user.id,
    passwordHash: user.password_hash,
    tokenHash: hashCredential(refreshToken),
    addressHash: user.address_hash,
    isBrowser: lifetimes.kind === 'browser',
    client: lifetimes.client?.slice(0, MAX_CLIENT_LENGTH) ?? null,
    now: issuedAt,
    expiresAt: earlier(addDays(issuedAt, lifetimes.refreshTokenDays), endsAt),
    endsAt,
  });
  if (generation === undefined) return undefined;
  await deleteOldestLogins(db, user.id, MAX_LOGINS);
  const claims = { userId: user.id, accountId: user.account_id, generation, loginId: id };
  return { ...(await signAccessToken(signer, claims, { now: issuedAt, lifetimes })), refreshToken };
}

export function newRefreshToken(kind: LoginKind): string {
  return kind === 'browser' ? buildBrowserToken(randomBytes) : buildRefreshToken(randomBytes);
}

export async function signAccessToken(
  signer: TokenSigner,
  claims: TokenClaims,
  { now, lifetimes }: { readonly now: Date; readonly lifetimes: TokenLifetimes },
): Promise<Omit<IssuedTokens, 'refreshToken'>> {
  const seconds = Math.min(signer.lifetimeSeconds, lifetimes.accessTokenSeconds ?? Infinity);
  return { accessToken: await signer.sign(claims, now, seconds), expiresInSeconds: seconds };
}
