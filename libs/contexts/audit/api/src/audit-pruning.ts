import { pruneAudits } from '@steward/audit';
import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';

const EVERY_SECONDS = 3600;

export interface AuditPruningDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: { readonly auditRetentionDays: number; readonly auditExportS3Endpoint: string | undefined };
}

/**
 * Creates the task that removes old entries of the audit log (ACC-52). Every gateway process may run it; an account is
 * pruned by one process at a time.
 */
export function createAuditPruning({ db, clock, logger, settings }: AuditPruningDeps): Component[] {
  const { auditRetentionDays: retentionDays, auditExportS3Endpoint } = settings;
  const onlyExported = auditExportS3Endpoint !== undefined;
  if (retentionDays === 0) return [];
  return [
    createBackgroundTask({
      name: 'audit pruning',
      everySeconds: EVERY_SECONDS,
      startsLate: true,
      logger,
      run: async (signal) => {
        const entries = await pruneAudits(db, { now: clock.now(), retentionDays, onlyExported, signal });
        if (entries > 0) logger.info('audit.pruned', { entries, retention_days: retentionDays });
      },
    }),
  ];
}
