import { AppError } from '@steward/contracts';
import type { RouteContext } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { login, type IssuedTokens, type LoginKind, type TokenLifetimes, type User } from '@steward/identity';
import { buildAddressKey } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';
import { byThemselves } from './save-own-user.ts';

export const LOGIN = { action: 'login', resourceType: 'user' } as const;

export type LoginRequest = Pick<
  RouteContext<'none', unknown, unknown, unknown, typeof LOGIN>,
  'remoteAddress' | 'headers' | 'audit'
>;

export type TokenDeps = Pick<IdentityDeps, 'db' | 'settings' | 'signer' | 'clock'>;

/**
 * Checks a password and starts a login; every way of logging in uses this function. Successful logins, and wrong
 * passwords for existing names, are recorded in the audit log.
 * @throws rate_limited, invalid_credentials
 */
export async function startLogin(
  { db, signer, clock, settings }: TokenDeps,
  input: {
    readonly username: string;
    readonly password: string;
    readonly kind: LoginKind;
    readonly lifetimes: TokenLifetimes;
  },
  { remoteAddress, headers, audit }: LoginRequest,
): Promise<{ readonly user: User; readonly tokens: IssuedTokens }> {
  const { username, password, kind, lifetimes } = input;
  const outcome = await login(
    { db, signer, now: () => clock.now() },
    { login: username, password, addressKey: buildAddressKey(remoteAddress), kind, client: headers['user-agent'] },
    { ...lifetimes, edition: settings.edition, failuresPerMinute: settings.loginFailuresPerMinute },
  );
  if (outcome.kind === 'blocked') throw tooManyFailures(outcome.retryAfterSeconds);
  if (outcome.kind === 'wrong') {
    const { accountId, userId: resourceId = null } = outcome;
    const actor = { kind: 'anonymous', id: null } as const;
    // The row is written only for existing names: the log of an account contains only entries about its users.
    if (accountId !== undefined) await recordAudit(db, audit({ accountId, actor, resourceId, status: 'failure' }));
    throw new AppError('invalid_credentials');
  }
  const { user, tokens } = outcome;
  await recordAudit(db, audit({ ...byThemselves(user), resourceId: user.id }));
  return { user, tokens };
}

/** Returns the error for too many failed attempts; this error is the same everywhere a password is checked. */
export function tooManyFailures(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', {
    message: `Too many wrong passwords. Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  });
}
