import type { Metrics } from '@steward/process';

const DURATION_BUCKETS_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];

/**
 * Outcome of an execution that a worker ran; `status` is `lost` if the execution was ended elsewhere in the meantime.
 */
export interface FinishedRun {
  readonly status: string;
  readonly failureCategory: string | null;
  readonly seconds: number;
}

/**
 * Creates the function that counts ended executions and records their durations. The only labels are the status and the
 * failure category.
 */
export function createRunMetrics(metrics: Metrics): (run: FinishedRun) => void {
  const finished = metrics.counter('steward_executions_finished_total', 'Executions that ended on this worker.', [
    'status',
    'failure_category',
  ]);
  const duration = metrics.histogram(
    'steward_execution_duration_seconds',
    'Time from the start of an execution to its end.',
    ['status'],
    DURATION_BUCKETS_SECONDS,
  );
  return ({ status, failureCategory, seconds }) => {
    finished.inc({ status, failure_category: failureCategory ?? 'none' });
    duration.observe({ status }, seconds);
  };
}
