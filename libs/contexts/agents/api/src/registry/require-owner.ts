import { AppError } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { isActiveUser } from '@steward/identity';

/** @throws invalid_request for an unknown user of the account */
export async function requireOwner(trx: AnyTransaction, accountId: string, userId: string | null): Promise<void> {
  if (userId === null) return;
  if (await isActiveUser(trx, { accountId, userId })) return;
  throw new AppError('invalid_request', {
    message: 'The account has no such user.',
    detail: { field: 'owner_user_id' },
  });
}
