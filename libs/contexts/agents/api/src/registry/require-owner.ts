import { AppError } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { isActiveUser } from '@steward/identity';

/** Checks that an owner is an active user of the account. @throws invalid_request for any other user */
export async function requireOwner(trx: AnyTransaction, accountId: string, userId: string | null): Promise<void> {
  if (userId === null) return;
  if (await isActiveUser(trx, { accountId, userId })) return;
  throw new AppError('invalid_request', {
    message: 'The account has no such user.',
    detail: { field: 'owner_user_id' },
  });
}
