import { isTransientDatabaseError, type AnyDatabase } from '@steward/database';
import { createBatchQueue, type BatchQueue } from '@steward/runtime';
import { recordAudits, type AuditEntry } from '@steward/slice-gateway';

export type AuditQueue = BatchQueue<AuditEntry, void>;

/**
 * The audit rows of searches that end at one moment are written together: each costs a flush to disk by itself. A search is
 * answered when its row is committed.
 */
export function createAuditQueue(db: AnyDatabase): AuditQueue {
  return createBatchQueue<AuditEntry, void>({
    maxItems: 64,
    maxWaiting: 1000,
    patienceMs: 5000,
    async run(entries) {
      await recordAudits(db, entries);
      return entries.map(() => undefined);
    },
    mayRunSingly: (error) => !isTransientDatabaseError(error),
  });
}
