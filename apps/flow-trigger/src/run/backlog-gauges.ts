import { readBacklog } from '@steward/flows';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';

const EVERY_SECONDS = 10;

/**
 * Creates the task that reports the numbers of waiting and running executions, and the longest waiting time. The values
 * are those of all workers together, so each worker reports the same ones.
 */
export function createBacklogGauges({
  db,
  logger,
  metrics,
}: {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): Component {
  const waiting = metrics.gauge(
    'steward_executions_waiting',
    'Executions that no worker has started yet, over all workers.',
  );
  const running = metrics.gauge('steward_executions_leased', 'Executions that workers have started, over all workers.');
  const oldest = metrics.gauge(
    'steward_executions_oldest_waiting_seconds',
    'Waiting time of the execution that has waited longest.',
  );
  return createBackgroundTask({
    name: 'backlog gauges',
    everySeconds: EVERY_SECONDS,
    logger,
    run: async () => {
      const backlog = await readBacklog(db);
      waiting.set(backlog.waiting);
      running.set(backlog.running);
      oldest.set(backlog.oldestWaitingSeconds);
    },
  });
}
