import { createBatchQueue, retry, type BatchQueue } from '@steward/async';
import { isStatementCancelled, isTransientDatabaseError, refuseBusy, type AnyDatabase } from '@steward/database';
import { prepareAudit, recordAudits, type AuditEntry, type PreparedAudit } from '@steward/audit';

export interface AuditQueue {
  /**
   * Writes a row; resolves when it is committed. @throws unavailable if too many rows wait, or this row waits for too
   * long
   */
  record(entry: AuditEntry): Promise<void>;
  /** Resolves when all rows recorded so far have been processed. */
  drain(): Promise<void>;
}

/** Maximum waiting time of a row; a row that waits longer is rejected. */
const TIMEOUT_MS = 5000;
/**
 * Delays before the retries; there are two, because the pool may give the first one a connection that has just been
 * closed.
 */
const RETRY_DELAYS_MS = [20, 100];

/**
 * Creates the queue of audit rows. The rows of searches that end at the same time are written together: each separate
 * write would require a flush to disk. The response to a search is sent after the row of the search is committed.
 * @param db - needs a time limit on its statements, because a statement that hangs delays the rows behind it
 */
export function createAuditQueue(db: AnyDatabase, timeoutMs = TIMEOUT_MS): AuditQueue {
  const rows = createAuditBatches<PreparedAudit, void>(async (batch) => {
    await recordAudits(db, batch);
    return batch.map(() => undefined);
  }, timeoutMs);
  return {
    record: (entry) => rows.add(prepareAudit(entry)),
    drain: () => rows.drain(),
  };
}

/** Combines the writes of many requests into batches, in order; `write` may be called again with the same batch. */
export function createAuditBatches<Item, Outcome>(
  write: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  timeoutMs = TIMEOUT_MS,
): BatchQueue<Item, Outcome> {
  return createBatchQueue<Item, Outcome>({
    maxItems: 64,
    maxWaiting: 1000,
    timeoutMs,
    refuse: refuseBusy,
    // A restart of the database closes all connections, so a retry on a new connection may succeed. Rows keep their
    // ids, so a repeated write stores nothing twice.
    run: (batch) => retry(() => write(batch), { delaysMs: RETRY_DELAYS_MS, mayRetry: isTransientDatabaseError }),
    mayRunSingly: (error) => !isTransientDatabaseError(error) && !isStatementCancelled(error),
  });
}
