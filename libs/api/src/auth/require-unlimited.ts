import { AppError, type Principal } from '@steward/contracts';

/**
 * Refuses keys with limits. Users and roles outlive the credential that created them, so a key with scopes, an expiry
 * or a parent key could use them to exceed its own limits (ACC-46).
 * @throws permission_denied
 */
export function requireUnlimited(principal: Principal): void {
  if (principal.isLimitedKey !== true) return;
  throw new AppError('permission_denied', {
    message:
      'An API key that has scopes or an expiry, or was created with another key, cannot create users or roles or grant permissions. Log in with a password, or use a key without these limits.',
  });
}
