import type { Logger } from '@steward/process';
import type { AttemptVerdict } from '@steward/webhooks';

/** Counts what was attempted between two lines of the log. */
export interface DeliverySummary {
  count(verdict: AttemptVerdict, durationMs: number): void;
  /** Writes `deliveries.summarized` when there was anything. */
  write(): void;
}

/**
 * One line for many successes. The attempt table is their record, row by row; a line each took as long as signing the
 * request did. Attempts that failed have a line of their own besides.
 */
export function createDeliverySummary(logger: Logger): DeliverySummary {
  let counts = { delivered: 0, failed: 0, dead: 0 };
  let totalMs = 0;
  let slowestMs = 0;
  return {
    count(verdict, durationMs) {
      counts[verdict] += 1;
      totalMs += durationMs;
      slowestMs = Math.max(slowestMs, durationMs);
    },
    write() {
      const attempts = counts.delivered + counts.failed + counts.dead;
      if (attempts === 0) return;
      const mean = Math.round(totalMs / attempts);
      logger.info('deliveries.summarized', { ...counts, mean_duration_ms: mean, longest_duration_ms: slowestMs });
      counts = { delivered: 0, failed: 0, dead: 0 };
      totalMs = 0;
      slowestMs = 0;
    },
  };
}
