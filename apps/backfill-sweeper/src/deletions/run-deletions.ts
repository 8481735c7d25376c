import type { AnyDatabase } from '@steward/database';
import { deleteOldJobs, runDeletionBatch } from '@steward/slice-sessions';

/** How long the numbers of a deletion that is through can be read. */
const KEPT_DAYS = 30;

/** Carries out the deletions of many sessions, in turns, until none waits or all wait for rows on their way out. */
export async function runDeletions(db: AnyDatabase, signal: AbortSignal): Promise<void> {
  await deleteOldJobs(db, KEPT_DAYS);
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
