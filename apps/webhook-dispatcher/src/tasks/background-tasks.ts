import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { markForgotten, purgeHistory, readQueueGauges } from '@steward/webhooks';
import type { DeliverySummary } from '../delivery-summary.ts';
import type { DispatcherMetrics } from '../dispatcher-metrics.ts';
import { createClockTask } from './check-clock.ts';
import { createEndedSubscriptionsTask } from './ended-subscriptions-task.ts';

const GAUGES_EVERY_SECONDS = 15;
const SUMMARY_EVERY_SECONDS = 10;
const FORGOTTEN_EVERY_SECONDS = 60;
const PURGE_EVERY_SECONDS = 3600;

export interface BackgroundDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DispatcherMetrics;
  readonly summary: DeliverySummary;
  readonly retentionDays: number;
}

/**
 * Creates the tasks that run in addition to the loop, even if delivery is disabled: those that only report, and those
 * that change rows.
 */
export function createBackgroundTasks(deps: BackgroundDeps): Record<'reports' | 'changes', readonly Component[]> {
  const { db, logger, metrics, retentionDays } = deps;
  const every = (everySeconds: number, name: string, run: (signal: AbortSignal) => Promise<void>): Component =>
    createBackgroundTask({ name, everySeconds, logger, run });
  return {
    reports: [
      every(GAUGES_EVERY_SECONDS, 'gauges', async () => metrics.setGauges(await readQueueGauges(db))),
      createSummaryTask(deps),
      createClockTask(deps),
    ],
    changes: [
      createEndedSubscriptionsTask(deps),
      every(FORGOTTEN_EVERY_SECONDS, 'waiting deliveries', async () => {
        const endpoints = await markForgotten(db);
        if (endpoints > 0) logger.warn('deliveries.forgotten', { endpoints });
      }),
      every(PURGE_EVERY_SECONDS, 'retention', async (signal) => {
        logger.info('history.purged', { ...(await purgeHistory(db, { retentionDays, signal })) });
      }),
    ],
  };
}

function createSummaryTask({ summary, logger }: BackgroundDeps): Component {
  const run = (): Promise<void> => Promise.resolve(summary.write());
  const task = createBackgroundTask({ name: 'summary', everySeconds: SUMMARY_EVERY_SECONDS, logger, run });
  return {
    ...task,
    async stop() {
      await task.stop?.();
      summary.write();
    },
  };
}
