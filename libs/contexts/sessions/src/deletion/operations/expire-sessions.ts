import { transact, type AnyDatabase } from '@steward/database';
import { listInactiveSessions, type InactivePlace } from '../store/inactive-session.store.ts';
import { countDeletions } from '../store/session-deletion.store.ts';
import { deleteSessions } from './delete-sessions.ts';
import { MOST_WAITING } from './run-deletion-batch.ts';

export interface ExpiredSessions {
  readonly deleted: number;
  readonly keptLegalHold: number;
  readonly keptExecutionActive: number;
  /**
   * False if the call stopped early, because too many deletions are in progress or it was aborted: a later call deletes
   * the remaining sessions.
   */
  readonly isFinished: boolean;
}

const SESSIONS_PER_BATCH = 50;

/**
 * Deletes the account's sessions whose last activity was before a time, oldest start first, in short transactions.
 * Stops when too many deletions are in progress; a later call continues.
 */
export async function expireSessions(
  db: AnyDatabase,
  { accountId, before, signal }: { readonly accountId: string; readonly before: Date; readonly signal: AbortSignal },
): Promise<ExpiredSessions> {
  const total = { deleted: 0, keptLegalHold: 0, keptExecutionActive: 0 };
  let isFinished = false;
  let after: InactivePlace | undefined;
  while (!signal.aborted && (await countDeletions(db, accountId, MOST_WAITING)) < MOST_WAITING) {
    const found = await listInactiveSessions(db, { accountId, before, after, limit: SESSIONS_PER_BATCH });
    const { deleted, kept } = await transact({ db }, (trx) =>
      deleteSessions(
        trx,
        accountId,
        found.map(({ id }) => id),
        { actor: { kind: 'system', id: null }, details: { reason: 'retention' }, inactiveBefore: before },
      ),
    );
    total.deleted += deleted;
    total.keptLegalHold += kept.legal_hold;
    total.keptExecutionActive += kept.execution_active;
    isFinished = found.length < SESSIONS_PER_BATCH;
    if (isFinished) break;
    after = found.at(-1);
  }
  return { ...total, isFinished };
}
