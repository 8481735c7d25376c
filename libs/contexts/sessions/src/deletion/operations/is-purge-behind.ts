import type { AnyDatabase } from '@steward/database';
import { countHiddenSessions } from '@steward/search';
import { MOST_WAITING } from './run-deletion-batch.ts';

/**
 * Returns true while the rows of too many deleted sessions of the account still exist. Further deletions then have to
 * wait, because searches exclude each of these sessions individually. Counts the sessions that are hidden from
 * searches, not the pending deletions, because the gateway's database role may read only the former.
 */
export async function isPurgeBehind(db: AnyDatabase, accountId: string): Promise<boolean> {
  return (await countHiddenSessions(db, accountId, MOST_WAITING)) >= MOST_WAITING;
}
