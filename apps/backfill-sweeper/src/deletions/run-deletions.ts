import type { AnyDatabase } from '@steward/database';
import { deleteOldJobs, runDeletionBatch } from '@steward/sessions';

/**
 * Executes the jobs that delete many sessions, in turns, until no job is left, or all jobs wait for rows that are being
 * deleted.
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
