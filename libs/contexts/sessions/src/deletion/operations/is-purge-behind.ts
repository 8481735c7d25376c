import type { AnyDatabase } from '@steward/database';
import { countHiddenSessions } from '@steward/search';
import { MOST_WAITING } from './run-deletion-batch.ts';

/**
 * Returns true while so many deleted sessions of the account still have rows that further deletions have to wait:
 * searches exclude each of these sessions individually. Counts the sessions that are hidden from searches, not the
 * pending deletions, because the gateway has the right to read only the former.
 */
export async function isPurgeBehind(db: AnyDatabase, accountId: string): Promise<boolean> {
  return (await countHiddenSessions(db, accountId, MOST_WAITING)) >= MOST_WAITING;
}
