import type { Edition } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { toUser, type User } from '../rules/user.ts';
import * as users from '../store/user.store.ts';

/** Returns the users of the account with one of these ids or names, unordered. */
export async function findAccountUsers(
  db: AnyDatabase,
  wanted: Parameters<typeof users.findAccountUsers>[1],
  edition: Edition,
): Promise<User[]> {
  return (await users.findAccountUsers(db, wanted)).map((row) => toUser(row, edition));
}
