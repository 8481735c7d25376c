import type { Edition } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { insertAccount } from '../store/account.store.ts';
import { createUser, type CreateUserOutcome, type NewUser } from './create-user.ts';

/** Creates an account with its owner. */
export async function registerAccount(
  trx: AnyTransaction,
  input: NewUser,
  edition: Edition,
): Promise<CreateUserOutcome> {
  const accountId = newId();
  await insertAccount(trx, { id: accountId, name: input.username });
  return createUser(trx, { ...input, accountId, role: 'owner' }, edition);
}
