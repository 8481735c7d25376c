import type { Edition } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { hashCredential } from '../../credentials/rules/credential-text.ts';
import { toUser, type User } from '../../users/rules/user.ts';
import * as users from '../../users/store/user.store.ts';
import { findInvitedUserId, takeInvitation } from '../store/invitation.store.ts';

/** Sets the password of the invited user, once; returns undefined if the invitation is no longer valid. */
export async function acceptInvitation(
  trx: AnyTransaction,
  input: { readonly token: string; readonly hash: string; readonly fullName: string | undefined; readonly now: Date },
  edition: Edition,
): Promise<User | undefined> {
  const tokenHash = hashCredential(input.token);
  const userId = await findInvitedUserId(trx, tokenHash, input.now);
  if (userId === undefined) return undefined;
  // Locks are taken in the same order as in a deactivation of the user, so that these two operations cannot deadlock.
  await users.lockUser(trx, userId);
  if ((await takeInvitation(trx, tokenHash, input.now)) === undefined) return undefined;
  if (!(await users.replacePassword(trx, { userId, formerHash: null, hash: input.hash }))) return undefined;
  if (input.fullName !== undefined) await users.updateUser(trx, userId, { full_name: input.fullName });
  const user = await users.findUserById(trx, userId);
  return user === undefined ? undefined : toUser(user, edition);
}
