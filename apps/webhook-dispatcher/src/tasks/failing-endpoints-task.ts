import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { reportFailingEndpoints, reportGivenUp } from '@steward/webhooks';

/** Interval between checks, and therefore the approximate delay of a notice. */
const LOOK_EVERY_SECONDS = 5;

export interface FailingEndpointsTaskDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly maxPendingPerAccount: number;
  /** Called when notices were queued. */
  readonly onQueued: () => void;
}

/**
 * Creates the task that queues notices about endpoints whose circuit breaker opened or whose deliveries failed
 * permanently. Any number of dispatchers may run this task at the same time.
 */
export function createFailingEndpointsTask(deps: FailingEndpointsTaskDeps): Component {
  const { db, logger, maxPendingPerAccount, onQueued } = deps;
  return createBackgroundTask({
    name: 'failing endpoints',
    everySeconds: LOOK_EVERY_SECONDS,
    logger,
    run: async () => {
      const options = { maxPendingPerAccount };
      const queued = (await reportFailingEndpoints(db, options)) + (await reportGivenUp(db, options));
      if (queued > 0) onQueued();
    },
  });
}
