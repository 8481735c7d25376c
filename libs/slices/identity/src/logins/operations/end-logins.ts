import type { AnyTransaction } from '@steward/database';
import { raiseTokenGeneration } from '../../users/store/user.store.ts';
import { deleteLogin, deleteLogins } from '../store/login.store.ts';

/** Ends one login: its tokens of both kinds are worth nothing from the commit on. */
export async function endLogin(trx: AnyTransaction, loginId: string): Promise<void> {
  await deleteLogin(trx, loginId);
}

/** Ends every login of a user, the caller's own included. API keys are no logins and stay. Returns how many. */
export async function endAllLogins(trx: AnyTransaction, userId: string): Promise<number> {
  // Raised first: a login that is being started now is either seen below, or waits and starts with the new number.
  await raiseTokenGeneration(trx, userId);
  return deleteLogins(trx, userId);
}
