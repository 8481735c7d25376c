import type { AnyDatabase } from '@steward/database';
import { checkPassword, type LoginLimits } from '../../logins/operations/check-password.ts';
import { findUserById } from '../../users/store/user.store.ts';
import { judgePassword } from '../rules/judge-password.ts';
import { hashPassword, passwordTurns } from '../password-hash.ts';

export interface PasswordChange {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly addressKey: string;
  readonly now: () => Date;
}

export type PreparedPassword =
  | { readonly kind: 'ready'; readonly formerHash: string; readonly hash: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'weak'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

/**
 * Checks the current password within the limit of failed logins, then checks and hashes the new one: the slow part of a
 * change, to be called outside any transaction.
 * @throws like `checkPassword`
 */
export async function preparePasswordChange(
  db: AnyDatabase,
  change: PasswordChange,
  limits: LoginLimits,
): Promise<PreparedPassword> {
  const user = await findUserById(db, change.userId);
  if (user === undefined || user.password_hash === null) return { kind: 'wrong' };
  const { addressKey, now } = change;
  const attempt = { user, login: user.username, password: change.currentPassword, addressKey, now };
  const verdict = await checkPassword(db, attempt, limits);
  if (verdict.kind === 'blocked') return verdict;
  if (verdict.kind === 'wrong') return { kind: 'wrong' };
  const reason =
    spell(change.newPassword) === spell(change.currentPassword)
      ? 'The new password is the same as the current one.'
      : judgePassword(change.newPassword, user);
  if (reason !== undefined) return { kind: 'weak', reason };
  const hash = await passwordTurns.run(addressKey, () => hashPassword(change.newPassword));
  return { kind: 'ready', formerHash: user.password_hash, hash };
}

/** Normalizes a password for comparison (ACC-7). */
function spell(password: string): string {
  return password.normalize('NFKC');
}
