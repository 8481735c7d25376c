import { AppError, type Principal } from '@steward/contracts';

/**
 * People and roles stay when the credential that made them is gone. A key with scopes or an expiry, and one that another key made,
 * would outlive and outgrow itself in them (ACC-46). @throws permission_denied
 */
export function requireUnlimited(principal: Principal): void {
  if (principal.isLimitedKey !== true) return;
  throw new AppError('permission_denied', {
    message:
      'An API key that has scopes or an expiry, or was created with another key, cannot create users or roles or grant permissions. Log in with a password, or use a key without these limits.',
  });
}
