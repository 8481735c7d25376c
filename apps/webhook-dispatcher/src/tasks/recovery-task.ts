import type { AnyDatabase, DueTasks } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { DUE_RECOVERIES, runRecoveryBatch } from '@steward/webhooks';

export interface RecoveryTaskDeps {
  readonly db: AnyDatabase;
  readonly dueTasks: DueTasks;
  readonly logger: Logger;
  readonly maxPendingPerAccount: number;
  /** Called when deliveries were queued. */
  readonly onQueued: () => void;
}

/**
 * Creates the task that processes recoveries, batch by batch. Any number of dispatchers may run this task at the same
 * time: each batch is processed by one of them.
 */
export function createRecoveryTask(deps: RecoveryTaskDeps): Component {
  const { db, dueTasks, logger, maxPendingPerAccount } = deps;
  return dueTasks.add({
    name: 'recovery',
    due: DUE_RECOVERIES,
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
