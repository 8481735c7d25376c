import type { AnyDatabase } from '@steward/database';
import { deleteOldJobs, runDeletionBatch } from '@steward/sessions';

/**
 * Deletes old jobs. Then executes the jobs that delete or count many sessions, in turns, until no job is left or all
 * remaining jobs wait for earlier deletions in their accounts.
 */
export async function runDeletions(db: AnyDatabase, signal: AbortSignal): Promise<void> {
  await deleteOldJobs(db);
  const postponed = new Set<string>();
  while (!signal.aborted) {
    const step = await runDeletionBatch(db);
    if (step.kind === 'idle') return;
    if (step.kind === 'advanced') {
      postponed.clear();
      continue;
    }
    if (postponed.has(step.jobId)) return;
    postponed.add(step.jobId);
  }
}
