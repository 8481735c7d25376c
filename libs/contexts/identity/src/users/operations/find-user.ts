import type { Edition } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { toUser, type User } from '../rules/user.ts';
import { findUserById, lockUser } from '../store/user.store.ts';

/** Returns a user by id; with `lock`, the row is locked until the transaction ends. */
export async function findUser(
  db: AnyDatabase,
  userId: string,
  edition: Edition,
  options: { readonly lock?: boolean } = {},
): Promise<User | undefined> {
  if (options.lock === true) await lockUser(db, userId);
  const row = await findUserById(db, userId);
  return row === undefined ? undefined : toUser(row, edition);
}
