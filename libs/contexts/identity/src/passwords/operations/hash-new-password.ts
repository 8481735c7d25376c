import { hashPassword, passwordTurns } from '../password-hash.ts';
import { judgePassword, type PasswordOwner } from '../rules/judge-password.ts';

export type NewPassword =
  { readonly kind: 'hashed'; readonly hash: string } | { readonly kind: 'weak'; readonly reason: string };

/**
 * Checks and hashes the first password of a new user; must be called outside any transaction, since it waits in a
 * queue.
 * @param sender - key of the sender whose share of the queue the hash uses
 * @throws rate_limited if the sender's share of the queue is used up, unavailable if the queue is full
 */
export async function hashNewPassword(password: string, owner: PasswordOwner, sender: string): Promise<NewPassword> {
  const reason = judgePassword(password, owner);
  if (reason !== undefined) return { kind: 'weak', reason };
  return { kind: 'hashed', hash: await passwordTurns.run(sender, () => hashPassword(password)) };
}
