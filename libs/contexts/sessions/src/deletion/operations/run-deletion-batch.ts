import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { listSessions } from '../../sessions/store/find-session.store.ts';
import { findRefusal } from '../rules/find-refusal.ts';
import * as jobs from '../store/deletion-job.store.ts';
import { countDeletions } from '../store/session-deletion.store.ts';
import { deleteSessions, type DeletedSessions } from './delete-sessions.ts';

export type DeletionStep =
  /** There is no waiting job. */
  | { readonly kind: 'idle' }
  /** The job has to wait, because too many deletions of the account are still in progress. */
  | { readonly kind: 'postponed'; readonly jobId: string }
  | { readonly kind: 'advanced'; readonly jobId: string; readonly accountId: string; readonly isFinished: boolean };

/** Number of sessions per batch, small enough not to delay writers of these sessions. */
const SESSIONS_PER_BATCH = 50;
/**
 * Further deletions of an account wait while at least this many of its sessions are being deleted: searches exclude
 * each of these sessions individually.
 */
export const MOST_WAITING = 500;

/**
 * Runs one batch of the job that was least recently advanced. The batch is committed together with the job's position:
 * if the process is killed, the job continues from its last position, and several processes never share a batch.
 */
export function runDeletionBatch(db: AnyDatabase): Promise<DeletionStep> {
  return db.transaction().execute(async (trx): Promise<DeletionStep> => {
    const job = await jobs.claimJob(trx);
    if (job === undefined) return { kind: 'idle' };
    const { accountId, id: jobId, filters, after, createdAt } = job;
    if (!job.dryRun && (await countDeletions(trx, accountId, MOST_WAITING)) >= MOST_WAITING) {
      await jobs.advanceJob(trx, job, { ...NOTHING, last: undefined, isFinished: false });
      return { kind: 'postponed', jobId };
    }
    const page = { ...filters, accountId, storedBy: createdAt, after, limit: SESSIONS_PER_BATCH };
    const sessions = await listSessions(trx, page);
    const { deleted, kept } = job.dryRun ? countKept(sessions) : await deleteListed(trx, job, sessions);
    const isFinished = sessions.length < SESSIONS_PER_BATCH;
    const row = sessions.at(-1);
    await jobs.advanceJob(trx, job, {
      matched: sessions.length,
      deleted,
      keptLegalHold: kept.legal_hold,
      keptExecutionActive: kept.execution_active,
      last: row === undefined ? undefined : { startedAt: row.started_at, id: row.id },
      isFinished,
    });
    return { kind: 'advanced', jobId, accountId, isFinished };
  });
}

const NOTHING = { matched: 0, deleted: 0, keptLegalHold: 0, keptExecutionActive: 0 };

function deleteListed(
  trx: AnyTransaction,
  { accountId, actor, id }: jobs.ClaimedJob,
  sessions: readonly { readonly id: string }[],
): Promise<DeletedSessions> {
  const ids = sessions.map((session) => session.id);
  return deleteSessions(trx, accountId, ids, { actor, details: { deletion_id: id } });
}

function countKept(sessions: readonly Parameters<typeof findRefusal>[0][]): DeletedSessions {
  const kept = { legal_hold: 0, execution_active: 0 };
  for (const session of sessions) {
    const refusal = findRefusal(session);
    if (refusal !== undefined) kept[refusal] += 1;
  }
  return { deleted: 0, kept };
}
