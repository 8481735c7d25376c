import type { TokenLifetimes } from '@steward/identity';
import type { IdentitySettings } from '../identity-deps.ts';

/** Returns the lifetimes of a browser's tokens: the access token is short-lived, because page scripts can see it. */
export function browserLifetimes(
  settings: Pick<IdentitySettings, 'refreshTokenDays' | 'loginDays' | 'browserTokenMinutes'>,
): TokenLifetimes {
  const { refreshTokenDays, loginDays, browserTokenMinutes } = settings;
  return { refreshTokenDays, loginDays, accessTokenSeconds: browserTokenMinutes * 60 };
}
