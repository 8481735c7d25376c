import { createDueTasks } from '@steward/database';
import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import { DUE_JOBS, WAITING_DELETIONS } from '@steward/sessions';
import type { BackfillSweeperSettings } from '../config.ts';
import { purgeDeleted, type PurgeDeps } from './purge-deleted.ts';
import { retain } from './retain.ts';
import { runDeletions } from './run-deletions.ts';

const RETENTION_INTERVAL_SECONDS = 600;

export interface DeletionActivity {
  rows_purged: number;
  sessions_expired: number;
}

/**
 * Creates the tasks of the sweeper that delete sessions and their data. These tasks run even if all passes over history
 * are disabled.
 */
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
  const dueTasks = createDueTasks(deps);
  const purge = dueTasks.add({
    name: 'purge',
    due: WAITING_DELETIONS,
    run: async (signal) => {
      const rows = await purgeDeleted(deps, signal);
      purged.inc(rows);
      activity.rows_purged += rows;
    },
  });
  const deletions = dueTasks.add({
    name: 'deletions',
    due: DUE_JOBS,
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
  return [purge, deletions, dueTasks.component, ...(settings.sessionRetentionDays === 0 ? [] : [retention])];
}
