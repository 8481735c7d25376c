import type { AnyDatabase } from '@steward/database';
import { hashCredential } from '../../credentials/rules/credential-text.ts';
import { judgePassword } from '../../passwords/rules/judge-password.ts';
import { hashPassword, passwordTurns } from '../../passwords/password-hash.ts';
import { findUserById } from '../../users/store/user.store.ts';
import { findInvitedUserId } from '../store/invitation.store.ts';

export type PreparedAcceptance =
  | { readonly kind: 'ready'; readonly hash: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'weak'; readonly reason: string };

/**
 * Checks and hashes the password of an invited user: the slow part, which runs outside any transaction. No hash is
 * computed for an unknown token.
 * @throws rate_limited if the sender's share of the queue is used up, unavailable if the queue is full
 */
export async function prepareAcceptance(
  db: AnyDatabase,
  input: { readonly token: string; readonly password: string; readonly addressKey: string; readonly now: Date },
): Promise<PreparedAcceptance> {
  const userId = await findInvitedUserId(db, hashCredential(input.token), input.now);
  const user = userId === undefined ? undefined : await findUserById(db, userId);
  if (user === undefined || !user.is_active) return { kind: 'unknown' };
  const reason = judgePassword(input.password, user);
  if (reason !== undefined) return { kind: 'weak', reason };
  return { kind: 'ready', hash: await passwordTurns.run(input.addressKey, () => hashPassword(input.password)) };
}
