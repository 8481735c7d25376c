import { exportAudits, type ExportOutcome } from '@steward/audit';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import { openExportBucket, type AuditExportSettings } from './audit-export-settings.ts';

export interface AuditExportingDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: AuditExportSettings;
}

/**
 * Creates the task that exports sealed entries of the audit log to a bucket (ACC-53). Every gateway process may run it;
 * an object is stored by one process at a time.
 */
export function createAuditExporting({ db, logger, metrics, settings }: AuditExportingDeps): Component[] {
  const measured = createExportMetrics(metrics);
  const bucket = openExportBucket(settings);
  if (bucket === undefined) return [];
  const { auditExportIntervalSeconds: everySeconds } = settings;
  measured.begin(everySeconds);
  return [
    createBackgroundTask({
      name: 'audit export',
      everySeconds,
      logger,
      run: async (signal) => {
        const onOutcome = (outcome: ExportOutcome): void => {
          measured.count(outcome);
          logOutcome(logger, outcome);
        };
        if (await exportAudits(db, { bucket, onOutcome, signal })) measured.noteSuccess();
      },
    }),
  ];
}

function logOutcome(logger: Logger, outcome: ExportOutcome): void {
  const { kind, ...fields } = outcome;
  if (kind === 'stored') logger.info('audit.exported', fields);
  else if (kind === 'conflict') logger.error('audit.export_conflict', fields);
  else logger.warn('audit.export_failed', fields);
}

function createExportMetrics(metrics: Metrics) {
  const objects = metrics.counter(
    'steward_audit_export_objects_total',
    'Objects of the audit log export, by outcome: stored, failed, or conflict if the bucket has the same key with other content.',
    ['outcome'],
  );
  const entries = metrics.counter('steward_audit_export_entries_total', 'Entries of the audit log that were exported.');
  const interval = metrics.gauge(
    'steward_audit_export_interval_seconds',
    'Time between exports of the audit log; 0 if it is not exported.',
  );
  const success = metrics.gauge(
    'steward_audit_export_last_success_timestamp_seconds',
    'Time at which this process last found that all sealed entries of the audit log were exported; at first, the time at which the process started.',
  );
  const noteSuccess = (): void => success.setToCurrentTime();
  return {
    noteSuccess,
    begin(everySeconds: number): void {
      interval.set(everySeconds);
      noteSuccess();
      for (const outcome of ['stored', 'failed', 'conflict']) objects.inc({ outcome }, 0);
    },
    count(outcome: ExportOutcome): void {
      objects.inc({ outcome: outcome.kind });
      if (outcome.kind === 'stored') entries.inc(outcome.entries);
    },
  };
}
