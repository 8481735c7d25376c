import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, setting, type Component, type Logger, type Metrics } from '@steward/process';
import { retainExecutions } from '@steward/flows';

const EVERY_SECONDS = 600;

export const executionSettings = {
  executionRetentionDays: setting.retentionDays('EXECUTION_RETENTION_DAYS', {
    shortest: 7,
    description:
      'Time after their end at which executions are removed with their logs and sessions, except those under legal hold; 0 means never, otherwise at least 7 (docs/use/keeping.md).',
  }),
} as const;

export interface ExecutionRetentionDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: { readonly executionRetentionDays: number };
}

/** Creates the task that removes old executions (EXEC-28). Every gateway process may run it. */
export function createExecutionRetention({ db, logger, metrics, settings }: ExecutionRetentionDeps): Component[] {
  const { executionRetentionDays: days } = settings;
  const expired = metrics.counter('steward_execution_expired_total', 'Executions removed by EXECUTION_RETENTION_DAYS.');
  if (days === 0) return [];
  return [
    createBackgroundTask({
      name: 'execution retention',
      everySeconds: EVERY_SECONDS,
      logger,
      run: async (signal) => {
        const onRemoved = (executions: number): void => expired.inc(executions);
        const { removed, kept } = await retainExecutions(db, { days, signal, onRemoved });
        if (removed > 0) logger.info('executions.expired', { executions: removed, kept, retention_days: days });
      },
    }),
  ];
}
