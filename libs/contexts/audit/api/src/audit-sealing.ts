import { sealAudits } from '@steward/audit';
import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';

const EVERY_SECONDS = 60;

export interface AuditSealingDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the task that seals new rows of the audit log (ACC-51). Every gateway process may run it; only one process
 * seals at a time.
 */
export function createAuditSealing({ db, clock, logger }: AuditSealingDeps): Component {
  return createBackgroundTask({
    name: 'audit sealing',
    everySeconds: EVERY_SECONDS,
    logger,
    run: async (signal) => {
      const rows = await sealAudits(db, { now: clock.now(), signal });
      if (rows > 0) logger.debug('audit.sealed', { rows });
    },
  });
}
