import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import { retainUsage } from '@steward/models';

const EVERY_SECONDS = 3600;

export interface UsageRetentionDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: { readonly usageRetentionDays: number };
}

/**
 * Creates the task that adds partitions for usage rows and drops old ones (PROC-24). Every gateway process may run it.
 */
export function createUsageRetention({ db, logger, metrics, settings }: UsageRetentionDeps): Component {
  const { usageRetentionDays: retentionDays } = settings;
  const dropped = metrics.counter(
    'steward_usage_partitions_dropped_total',
    'Partitions of usage rows dropped by USAGE_RETENTION_DAYS.',
  );
  return createBackgroundTask({
    name: 'usage retention',
    everySeconds: EVERY_SECONDS,
    startsLate: retentionDays === 0,
    logger,
    run: async (signal) => {
      const done = await retainUsage(db, { retentionDays, signal });
      for (const partition of done.added) logger.info('usage.partition_added', { partition });
      for (const { name: partition, rows } of done.dropped)
        logger.info('usage.partition_dropped', { partition, rows, retention_days: retentionDays });
      dropped.inc(done.dropped.length);
    },
  });
}
