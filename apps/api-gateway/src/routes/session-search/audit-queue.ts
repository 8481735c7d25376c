import { setTimeout as delay } from 'node:timers/promises';
import { isStatementCancelled, isTransientDatabaseError, type AnyDatabase } from '@steward/database';
import { createBatchQueue } from '@steward/runtime';
import { prepareAudit, recordAudits, type AuditEntry, type PreparedAudit } from '@steward/slice-gateway';

export interface AuditQueue {
  /** Resolves when the row is committed. @throws unavailable when too many wait, or one for too long */
  record(entry: AuditEntry): Promise<void>;
  /** Resolves when nothing is under way. */
  drain(): Promise<void>;
}

/**
 * The audit rows of searches that end at one moment are written together: each costs a flush to disk by itself. A search is
 * answered when its row is committed.
 *
 * @param db - With a time limit on its statements: one that hangs holds up the rows behind it.
 */
export function createAuditQueue(db: AnyDatabase): AuditQueue {
  const rows = createBatchQueue<PreparedAudit, void>({
    maxItems: 64,
    maxWaiting: 1000,
    patienceMs: 5000,
    async run(batch) {
      await recordPersistently(db, batch);
      return batch.map(() => undefined);
    },
    mayRunSingly: (error) => !isTransientDatabaseError(error) && !isStatementCancelled(error),
  });
  return {
    record: (entry) => rows.add(prepareAudit(entry)),
    drain: () => rows.drain(),
  };
}

/** Before each further try: right after its end a connection may still be handed out. */
const RETRY_DELAYS_MS = [20, 100];

/** A restart of the database ends its connections: the next one may serve. Rows keep their ids. */
async function recordPersistently(db: AnyDatabase, rows: readonly PreparedAudit[]): Promise<void> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await recordAudits(db, rows);
    } catch (error) {
      if (!isTransientDatabaseError(error)) throw error;
      await delay(delayMs);
    }
  }
  await recordAudits(db, rows);
}
