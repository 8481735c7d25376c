import { createBatchQueue, retry } from '@steward/async';
import { isStatementCancelled, isTransientDatabaseError, refuseBusy, type AnyDatabase } from '@steward/database';
import { prepareAudit, recordAudits, type AuditEntry, type PreparedAudit } from '@steward/slice-audit';

export interface AuditQueue {
  /** Resolves when the row is committed. @throws unavailable when too many wait, or one for too long */
  record(entry: AuditEntry): Promise<void>;
  /** Resolves when nothing is under way. */
  drain(): Promise<void>;
}

/** One that waits longer is refused. */
const PATIENCE_MS = 5000;
/** Before each further try: right after its end a connection may still be handed out. */
const RETRY_DELAYS_MS = [20, 100];

/**
 * The audit rows of searches that end at one moment are written together: each costs a flush to disk by itself. A search is
 * answered when its row is committed.
 *
 * @param db - With a time limit on its statements: one that hangs holds up the rows behind it.
 */
export function createAuditQueue(db: AnyDatabase, patienceMs = PATIENCE_MS): AuditQueue {
  const rows = createBatchQueue<PreparedAudit, void>({
    maxItems: 64,
    maxWaiting: 1000,
    patienceMs,
    refuse: refuseBusy,
    async run(batch) {
      // A restart of the database ends its connections: the next one may serve. Rows keep their ids.
      await retry(() => recordAudits(db, batch), { delaysMs: RETRY_DELAYS_MS, mayRetry: isTransientDatabaseError });
      return batch.map(() => undefined);
    },
    mayRunSingly: (error) => !isTransientDatabaseError(error) && !isStatementCancelled(error),
  });
  return {
    record: (entry) => rows.add(prepareAudit(entry)),
    drain: () => rows.drain(),
  };
}
