import type { Metrics } from '@steward/process';

export interface CallerMetrics {
  readonly count: (outcome: 'reused' | 'read') => void;
  readonly observeWait: (seconds: number) => void;
}

/** Most waits take a few milliseconds; a wait for a process that does not respond takes up to two seconds. */
const WAIT_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * Creates two metrics: the number of requests, by whether their caller was reused or read from the database, and the
 * time for which requests wait until every process has applied a change to the data of callers (ACC-56).
 */
export function createCallerMetrics(metrics: Metrics): CallerMetrics {
  const callers = metrics.counter(
    'steward_callers_total',
    'Requests with an API key whose caller may be reused, by whether the caller was reused or read from the database.',
    ['outcome'],
  );
  const waits = metrics.histogram(
    'steward_caller_wait_seconds',
    'Time for which requests that may change callers waited until every process had applied the change.',
    [],
    WAIT_BUCKETS_SECONDS,
  );
  const [reused, read] = [callers.labels('reused'), callers.labels('read')];
  return {
    count: (outcome) => (outcome === 'reused' ? reused : read).inc(),
    observeWait: (seconds) => waits.observe(seconds),
  };
}
