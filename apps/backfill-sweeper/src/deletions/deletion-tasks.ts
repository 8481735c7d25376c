import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import type { BackfillSweeperSettings } from '../config.ts';
import { purgeDeleted, type PurgeDeps } from './purge-deleted.ts';
import { retain } from './retain.ts';
import { runDeletions } from './run-deletions.ts';

/** Interval of checks for deletions; a check is a single look-up if there is nothing to do. */
const DELETION_INTERVAL_SECONDS = 1;
const RETENTION_INTERVAL_SECONDS = 600;

export interface DeletionActivity {
  rows_purged: number;
  sessions_expired: number;
}

/** Creates the tasks of the sweeper for deleted sessions, which are independent of the other settings. */
export function createDeletionTasks(
  deps: PurgeDeps & { readonly logger: Logger },
  {
    settings,
    metrics,
    activity,
  }: {
    readonly settings: Pick<BackfillSweeperSettings, 'sessionRetentionDays'>;
    readonly metrics: Pick<Metrics, 'counter'>;
    readonly activity: DeletionActivity;
  },
): Component[] {
  const { logger } = deps;
  const purged = metrics.counter('steward_session_purge_rows_total', 'Deleted rows of deleted sessions.');
  const expired = metrics.counter('steward_session_expired_total', 'Sessions deleted by SESSION_RETENTION_DAYS.');
  const purge = createBackgroundTask({
    name: 'purge',
    everySeconds: DELETION_INTERVAL_SECONDS,
    logger,
    run: async (signal) => {
      const rows = await purgeDeleted(deps, signal);
      purged.inc(rows);
      activity.rows_purged += rows;
    },
  });
  const deletions = createBackgroundTask({
    name: 'deletions',
    everySeconds: DELETION_INTERVAL_SECONDS,
    logger,
    run: (signal) => runDeletions(deps.db, signal),
  });
  const retention = createBackgroundTask({
    name: 'retention',
    everySeconds: RETENTION_INTERVAL_SECONDS,
    logger,
    run: async (signal) => {
      const onDeleted = (sessions: number): void => {
        expired.inc(sessions);
        activity.sessions_expired += sessions;
      };
      await retain(deps, { days: settings.sessionRetentionDays, onDeleted }, signal);
    },
  });
  return [purge, deletions, ...(settings.sessionRetentionDays === 0 ? [] : [retention])];
}
