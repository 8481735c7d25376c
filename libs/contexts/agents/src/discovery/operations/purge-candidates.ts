import type { AnyDatabase } from '@steward/database';
import { deleteCandidatesUnseenSince } from '../store/candidate.store.ts';

const KEPT_DAYS = 90;

/**
 * Removes candidates that no workstation has reported for 90 days; if they are reported again, they count as new. Safe
 * to run concurrently.
 */
export function purgeCandidates(db: AnyDatabase, now: Date): Promise<number> {
  return deleteCandidatesUnseenSince(db, new Date(now.getTime() - KEPT_DAYS * 86_400_000));
}
