import type { AnyTransaction } from '@steward/database';
import type { TokenSigner } from '../../credentials/access-token.ts';
import { hashCredential, isBrowserToken } from '../../credentials/rules/credential-text.ts';
import { addDays, earlier } from '../rules/login-times.ts';
import {
  deleteLogin,
  deleteOldestUsedTokens,
  insertRefreshToken,
  lockLoginOfToken,
  useRefreshToken,
} from '../store/login.store.ts';
import { newRefreshToken, signAccessToken, type IssuedTokens, type LoginKind, type TokenLifetimes } from './login.ts';

export type RefreshOutcome =
  | { readonly kind: 'refreshed'; readonly tokens: IssuedTokens; readonly userId: string }
  /** The cookie was sent by a second tab: the browser already has the new refresh token. */
  | { readonly kind: 'exchanged_lately'; readonly tokens: Omit<IssuedTokens, 'refreshToken'>; readonly userId: string }
  | { readonly kind: 'unknown' }
  /** The token had been exchanged before: the login ends with the commit. */
  | { readonly kind: 'reused'; readonly accountId: string; readonly userId: string };

/**
 * Maximum number of used tokens that are stored per login. A client that refreshes once an hour uses 720 tokens in 30
 * days, the default lifetime of a login; the limit prevents a single login from filling the table.
 */
const MAX_USED_TOKENS = 1000;
/**
 * Grace period in milliseconds for two tabs of a browser, which send the same cookie when they wake up at the same
 * time.
 */
const BROWSER_GRACE_MS = 30_000;

/**
 * Exchanges a refresh token; this is possible only once. A second use, even a concurrent one, shows that two parties
 * have the token, and it is unknown which of them is the user: the whole login ends (ACC-10). A browser's token that
 * was exchanged less than 30 s ago is an exception (ACC-37). The caller must commit the transaction, whatever the
 * outcome.
 */
export async function refreshLogin(
  trx: AnyTransaction,
  input: {
    readonly refreshToken: string;
    /** Kind of the client; default: a program. */
    readonly kind?: LoginKind;
    readonly signer: TokenSigner;
    readonly now: Date;
  },
  lifetimes: TokenLifetimes,
): Promise<RefreshOutcome> {
  const { signer, now, kind = 'program' } = input;
  if (isBrowserToken(input.refreshToken) !== (kind === 'browser')) return { kind: 'unknown' };
  const tokenHash = hashCredential(input.refreshToken);
  const login = await lockLoginOfToken(trx, tokenHash);
  if (login === undefined) return { kind: 'unknown' };
  const use = await useRefreshToken(trx, tokenHash, now);
  const { user_id: userId, account_id: accountId, token_generation: generation } = login;
  const sign = () => signAccessToken(signer, { userId, accountId, generation, loginId: login.id }, { now, lifetimes });
  if (use.kind === 'used_before') {
    if (kind === 'browser' && use.usedAt !== null && now.getTime() - use.usedAt.getTime() < BROWSER_GRACE_MS)
      return { kind: 'exchanged_lately', tokens: await sign(), userId };
    await deleteLogin(trx, login.id);
    return { kind: 'reused', accountId, userId };
  }
  if (use.kind === 'expired' || login.ends_at <= now) return { kind: 'unknown' };
  const refreshToken = newRefreshToken(kind);
  await insertRefreshToken(trx, {
    loginId: login.id,
    tokenHash: hashCredential(refreshToken),
    now,
    expiresAt: earlier(addDays(now, lifetimes.refreshTokenDays), login.ends_at),
  });
  await deleteOldestUsedTokens(trx, login.id, MAX_USED_TOKENS);
  return { kind: 'refreshed', tokens: { ...(await sign()), refreshToken }, userId };
}
