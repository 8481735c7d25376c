import type { Edition } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { toUser, type User } from '../rules/user.ts';
import * as users from '../store/user.store.ts';

/** Those of these ids or names that the account has, in no order. */
export async function findAccountUsers(
  db: AnyDatabase,
  wanted: Parameters<typeof users.findAccountUsers>[1],
  edition: Edition,
): Promise<User[]> {
  return (await users.findAccountUsers(db, wanted)).map((row) => toUser(row, edition));
}
