import { AppError } from '@steward/contracts';
import { hashNewPassword } from '@steward/identity';
import { buildAddressKey } from '@steward/api';

/**
 * Returns the hash of a new user's password; must be called outside any transaction, since it waits in a queue.
 * @throws weak_password; rate_limited or unavailable if too many hashes are requested at once
 */
export async function requireNewPassword(
  user: { readonly username: string; readonly email: string; readonly password: string },
  remoteAddress: string,
): Promise<string> {
  const outcome = await hashNewPassword(user.password, user, buildAddressKey(remoteAddress));
  if (outcome.kind === 'weak') throw weakPassword(outcome.reason, 'password');
  return outcome.hash;
}

export function weakPassword(reason: string, field: string): AppError {
  return new AppError('weak_password', { message: reason, detail: { field } });
}
