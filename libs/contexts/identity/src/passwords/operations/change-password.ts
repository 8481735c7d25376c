import type { AnyTransaction } from '@steward/database';
import { deleteLogins } from '../../logins/store/login.store.ts';
import { replacePassword } from '../../users/store/user.store.ts';

/**
 * Stores the new password and ends every login except the caller's. Returns false if the password was changed or the
 * user was deactivated in the meantime.
 */
export async function changePassword(
  trx: AnyTransaction,
  change: { readonly userId: string; readonly formerHash: string; readonly hash: string; readonly loginId: string },
): Promise<boolean> {
  if (!(await replacePassword(trx, change))) return false;
  await deleteLogins(trx, change.userId, change.loginId);
  return true;
}
