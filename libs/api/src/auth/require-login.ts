import { AppError, type Principal } from '@steward/contracts';

/**
 * Returns the login that a user's token belongs to. Keys may not end logins or change a password, because a stolen key
 * could otherwise lock its owner out.
 * @throws permission_denied
 */
export function requireLogin(principal: Principal): string {
  if (principal.kind === 'user' && principal.loginId !== undefined) return principal.loginId;
  throw new AppError('permission_denied', { message: 'An API key cannot do this: log in with a password.' });
}
