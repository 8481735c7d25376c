import type { Edition } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { toUser, type User } from '../rules/user.ts';
import * as users from '../store/user.store.ts';

/** Lists users newest first, one more than `limit` if there is another page. */
export async function listUsers(db: AnyDatabase, filter: users.UserFilter, edition: Edition): Promise<User[]> {
  return (await users.listUsers(db, filter)).map((row) => toUser(row, edition));
}
