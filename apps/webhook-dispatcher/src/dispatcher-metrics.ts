import type { Metrics } from '@steward/process';
import type { QueueGauges } from '@steward/webhooks';

export type AttemptResult = 'delivered' | 'failed' | 'dead' | 'own_fault' | 'lost_lease';

/**
 * Operator metrics of the dispatcher. The labels are outcomes, error classes and states; account ids are labels only in
 * the metric of the fullest outboxes.
 */
export interface DispatcherMetrics {
  countAttempt(result: AttemptResult, errorClass: string): void;
  observeAttempt(seconds: number): void;
  observePublishToDelivered(seconds: number): void;
  countBreakerMove(to: string): void;
  setGauges(gauges: QueueGauges): void;
  setRunning(posts: number): void;
  setClockSkew(seconds: number): void;
}

const ATTEMPT_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DELIVERED_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 1800, 7200];

/**
 * Creates the metrics.
 * @param maxPendingPerAccount - number of pending deliveries at which the outbox of an account is full
 */
export function createDispatcherMetrics(metrics: Metrics, maxPendingPerAccount: number): DispatcherMetrics {
  const attempts = metrics.counter('steward_webhook_attempts_total', 'Delivery attempts, by result and error class.', [
    'result',
    'error_class',
  ]);
  const attemptSeconds = metrics.histogram(
    'steward_webhook_attempt_duration_seconds',
    'Time from the start of an attempt to the status line of the response.',
    [],
    ATTEMPT_BUCKETS_SECONDS,
  );
  const delivered = metrics.histogram(
    'steward_webhook_publish_to_delivered_seconds',
    'Time from the insertion of a delivery into the outbox until its receiver accepts it.',
    [],
    DELIVERED_BUCKETS_SECONDS,
  );
  const moves = metrics.counter(
    'steward_webhook_breaker_moves_total',
    'Transitions of circuit breakers, by new state.',
    ['to'],
  );
  const oldest = metrics.gauge(
    'steward_webhook_oldest_due_seconds',
    'Age of the oldest delivery that is ready to be sent.',
  );
  const pending = metrics.gauge('steward_webhook_pending_deliveries', 'Undelivered rows of all accounts.');
  const breakers = metrics.gauge('steward_webhook_breakers', 'Endpoints, by state of their circuit breaker.', [
    'state',
  ]);
  const refusing = metrics.gauge('steward_webhook_refusing_accounts', 'Accounts whose outbox is full.');
  const refused = metrics.counter(
    'steward_webhook_refused_events_total',
    'Events refused because the outbox of their account was full, over all processes.',
  );
  const fill = metrics.gauge(
    'steward_webhook_outbox_fill_ratio',
    'Undelivered rows of an account as a fraction of its limit, for the 20 accounts closest to their limit.',
    ['account_id'],
  );
  const recoveries = metrics.gauge('steward_webhook_recoveries_running', 'Active recoveries of dead deliveries.');
  const remaining = metrics.gauge(
    'steward_webhook_recovery_remaining_deliveries',
    'Dead deliveries that active recoveries have not queued yet.',
  );
  const running = metrics.gauge('steward_webhook_posts_running', 'Concurrent requests of this process.');
  const skew = metrics.gauge(
    'steward_webhook_clock_skew_seconds',
    'Seconds by which the clock of this machine is ahead of the database; signatures use this clock.',
  );
  return {
    countAttempt: (result, errorClass) => attempts.inc({ result, error_class: errorClass }),
    observeAttempt: (seconds) => attemptSeconds.observe(seconds),
    observePublishToDelivered: (seconds) => delivered.observe(seconds),
    countBreakerMove: (to) => moves.inc({ to }),
    setRunning: (posts) => running.set(posts),
    setClockSkew: (seconds) => skew.set(seconds),
    setGauges(gauges) {
      oldest.set(gauges.oldestDueSeconds);
      pending.set(gauges.pending);
      refusing.set(gauges.refusingAccounts);
      // The database counts refused events and returns the total, so the counter is reset first.
      refused.reset();
      refused.inc(gauges.refusedEvents);
      recoveries.set(gauges.recoveriesRunning);
      remaining.set(gauges.recoveryRemaining);
      // Removes the accounts whose outboxes are no longer among the fullest.
      fill.reset();
      for (const { accountId, pending: rows } of gauges.fullestOutboxes) {
        fill.set({ account_id: accountId }, rows / maxPendingPerAccount);
      }
      for (const [state, count] of Object.entries(gauges.breakers)) breakers.set({ state }, count);
    },
  };
}
