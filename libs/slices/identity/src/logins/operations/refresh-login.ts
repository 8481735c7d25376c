import { randomBytes } from 'node:crypto';
import type { AnyTransaction } from '@steward/database';
import type { TokenSigner } from '../../credentials/access-token.ts';
import { buildRefreshToken, hashCredential } from '../../credentials/rules/credential-text.ts';
import { addDays, earlier } from '../rules/login-times.ts';
import {
  deleteLogin,
  deleteOldestUsedTokens,
  insertRefreshToken,
  lockLoginOfToken,
  useRefreshToken,
} from '../store/login.store.ts';
import type { IssuedTokens, TokenLifetimes } from './login.ts';

export type RefreshOutcome =
  | { readonly kind: 'refreshed'; readonly tokens: IssuedTokens }
  | { readonly kind: 'unknown' }
  /** The token had been exchanged before: its login is ended with the commit. */
  | { readonly kind: 'reused'; readonly accountId: string; readonly userId: string };

/** Whoever refreshes once an hour uses 720 in the 30 days of a login; nobody fills the table with one. */
const MAX_USED_TOKENS = 1000;

/**
 * Exchanges a refresh token, once. A second time, also at the same moment, shows that two hold it, and nobody can tell
 * which of them is the user: the whole login ends (ACC-10). The caller commits every outcome.
 */
export async function refreshLogin(
  trx: AnyTransaction,
  input: { readonly refreshToken: string; readonly signer: TokenSigner; readonly now: Date },
  lifetimes: TokenLifetimes,
): Promise<RefreshOutcome> {
  const { signer, now } = input;
  const tokenHash = hashCredential(input.refreshToken);
  const login = await lockLoginOfToken(trx, tokenHash);
  if (login === undefined) return { kind: 'unknown' };
  const use = await useRefreshToken(trx, tokenHash, now);
  if (use === 'used_before') {
    await deleteLogin(trx, login.id);
    return { kind: 'reused', accountId: login.account_id, userId: login.user_id };
  }
  if (use === 'expired' || login.ends_at <= now) return { kind: 'unknown' };
  const refreshToken = buildRefreshToken(randomBytes);
  await insertRefreshToken(trx, {
    loginId: login.id,
    tokenHash: hashCredential(refreshToken),
    expiresAt: earlier(addDays(now, lifetimes.refreshTokenDays), login.ends_at),
  });
  await deleteOldestUsedTokens(trx, login.id, MAX_USED_TOKENS);
  const { user_id: userId, account_id: accountId, token_generation: generation } = login;
  const accessToken = await signer.sign({ userId, accountId, generation, loginId: login.id }, now);
  return { kind: 'refreshed', tokens: { accessToken, refreshToken, expiresInSeconds: signer.lifetimeSeconds } };
}
