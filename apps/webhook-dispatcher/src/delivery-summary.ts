import type { Logger } from '@steward/process';
import type { AttemptVerdict } from '@steward/webhooks';

/** Counts attempts between two log lines. */
export interface DeliverySummary {
  count(verdict: AttemptVerdict, durationMs: number): void;
  /** Writes `deliveries.summarized` if anything was counted. */
  write(): void;
}

/**
 * Creates the summary, which writes one line for many attempts. The attempt table records each attempt; logging each
 * attempt individually would take as much time as signing the request. At the level `info`, only failed attempts are
 * also logged individually.
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
