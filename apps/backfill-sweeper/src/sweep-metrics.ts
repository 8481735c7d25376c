import type { Metrics } from '@steward/process';
import type { PassSummary } from './passes/walk-accounts.ts';

/** Metrics of the sweeper about its walks over the history of the accounts. */
export interface SweepMetrics {
  observe(pass: PassSummary): void;
  observeLeft(sessions: number): void;
}

export function createSweepMetrics(metrics: Metrics): SweepMetrics {
  const rows = metrics.counter('steward_backfill_rows_total', 'Chunks written from history.');
  const done = metrics.counter(
    'steward_backfill_accounts_completed_total',
    'Accounts whose history was completely indexed.',
  );
  const failed = metrics.counter('steward_backfill_account_failures_total', 'Failed sweeps of an account.');
  const seconds = metrics.histogram('steward_backfill_pass_duration_seconds', 'Duration of passes.', [], PASS_SECONDS);
  const left = metrics.gauge(
    'steward_backfill_sessions_left',
    'Sessions that remain to be indexed after the last pass; at most 100,000 per account are counted.',
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
