import type { AnyTransaction } from '@steward/database';
import { raiseTokenGeneration } from '../../users/store/user.store.ts';
import { hashCredential, isBrowserToken } from '../../credentials/rules/credential-text.ts';
import { deleteLogin, deleteLogins, lockLoginOfToken } from '../store/login.store.ts';

/** Ends one login: its access and refresh tokens become invalid with the commit. */
export async function endLogin(trx: AnyTransaction, loginId: string): Promise<void> {
  await deleteLogin(trx, loginId);
}

/**
 * Ends every login of a user, including the caller's own. API keys are not logins and remain valid. Returns the number
 * of ended logins.
 */
export async function endAllLogins(trx: AnyTransaction, userId: string): Promise<number> {
  // The generation is raised first: a login that is starting concurrently is either found below, or waits and gets the
  // new generation.
  await raiseTokenGeneration(trx, userId);
  return deleteLogins(trx, userId);
}

/**
 * Ends the login to which a browser's cookie belongs, even if the cookie was exchanged in the meantime. Returns
 * undefined if the login no longer exists.
 */
export async function endBrowserLogin(
  trx: AnyTransaction,
  token: string,
): Promise<{ readonly accountId: string; readonly userId: string } | undefined> {
  const login = isBrowserToken(token) ? await lockLoginOfToken(trx, hashCredential(token)) : undefined;
  if (login === undefined) return undefined;
  await deleteLogin(trx, login.id);
  return { accountId: login.account_id, userId: login.user_id };
}
