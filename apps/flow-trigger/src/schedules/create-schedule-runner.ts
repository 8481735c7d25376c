import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import { runDueSchedules, type ScheduleDeps } from '@steward/flows';

/** Interval between polls, by which the start of a flow may be delayed. */
const POLL_SECONDS = 1;
type RunnerDeps = ScheduleDeps & { readonly logger: Logger; readonly metrics: Metrics };

/**
 * Starts flows at their due times. Every process with the role `scheduler` or `all` polls; the database determines
 * which of them processes a due time, and the clock of the database determines which times are due.
 */
export function createScheduleRunner(deps: RunnerDeps): Component {
  const { logger, metrics } = deps;
  const decided = metrics.counter('steward_due_times_total', 'Due times of schedules that this worker processed.');
  return createBackgroundTask({
    name: 'schedules',
    everySeconds: POLL_SECONDS,
    logger,
    run: async (signal) => {
      const pass = await runDueSchedules(deps, signal);
      decided.inc(pass.decided.length);
      for (const { flowId, outcome, reason, executionId } of pass.decided) {
        const facts = { flow_id: flowId, outcome, reason };
        logger.info('schedule.due', outcome === 'started' ? { ...facts, execution_id: executionId } : facts);
      }
      for (const { flowId, error } of pass.failed) logger.error('schedule.failed', { flow_id: flowId, error });
    },
  });
}
