import type { Metrics } from '@steward/process';
import type { PassSummary } from './passes/walk-accounts.ts';

/** What the process says of its walks over history. */
export interface SweepMetrics {
  observe(pass: PassSummary): void;
  observeLeft(sessions: number): void;
}

export function createSweepMetrics(metrics: Metrics): SweepMetrics {
  const rows = metrics.counter('steward_backfill_rows_total', 'Chunks written from history.');
  const done = metrics.counter('steward_backfill_accounts_completed_total', 'Walks over an account that came through.');
  const failed = metrics.counter('steward_backfill_account_failures_total', 'Turns of an account that failed.');
  const seconds = metrics.histogram('steward_backfill_pass_seconds', 'How long passes take.', [], PASS_SECONDS);
  const left = metrics.gauge(
    'steward_backfill_sessions_left',
    'Sessions still to be walked after the last pass; of an account at most 100,000 are counted.',
  );
  return {
    observe(pass) {
      rows.inc(pass.rows);
      done.inc(pass.accounts);
      failed.inc(pass.failed);
      seconds.observe(pass.seconds);
    },
    observeLeft(sessions) {
      left.set(sessions);
    },
  };
}

const PASS_SECONDS = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300];
