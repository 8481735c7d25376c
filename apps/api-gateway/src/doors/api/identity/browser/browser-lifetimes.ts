import type { TokenLifetimes } from '@steward/slice-identity';
import type { IdentitySettings } from '../identity-deps.ts';

/** Of the tokens of a browser: the one that its scripts see lives shortly. */
export function browserLifetimes(
  settings: Pick<IdentitySettings, 'refreshTokenDays' | 'loginDays' | 'browserTokenMinutes'>,
): TokenLifetimes {
  const { refreshTokenDays, loginDays, browserTokenMinutes } = settings;
  return { refreshTokenDays, loginDays, accessTokenSeconds: browserTokenMinutes * 60 };
}
