import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { runRecoveryBatch } from '@steward/webhooks';

/** Interval of checks, and therefore the maximum delay of a recovery that was just requested. */
const LOOK_EVERY_SECONDS = 1;

export interface RecoveryTaskDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly maxPendingPerAccount: number;
  /** Called when deliveries were queued. */
  readonly onQueued: () => void;
}

/**
 * Creates the task that processes recoveries, batch by batch. Any number of dispatchers may do so: each batch belongs
 * to one of them.
 */
export function createRecoveryTask(deps: RecoveryTaskDeps): Component {
  const { db, logger, maxPendingPerAccount } = deps;
  return createBackgroundTask({
    name: 'recovery',
    everySeconds: LOOK_EVERY_SECONDS,
    logger,
    run: async (signal) => {
      while (!signal.aborted) {
        const step = await runRecoveryBatch(db, { maxPendingPerAccount });
        if (step.kind === 'idle') return;
        logger.info('recovery.batch_finished', {
          job_id: step.jobId,
          outcome: step.kind,
          ...(step.kind === 'queued' ? { queued: step.queued, finished: step.finished } : {}),
        });
        if (step.kind === 'queued' && step.queued > 0) deps.onQueued();
      }
    },
  });
}
