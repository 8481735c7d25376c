import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import type { AuditRecord } from '@steward/http';
import type { Component, Logger } from '@steward/process';
import {
  countReads,
  identifyRead,
  prepareAudit,
  READ_WINDOW_MS,
  recordReads,
  type OpenedRead,
  type PreparedRead,
  type ReadCount,
} from '@steward/audit';
import { createAuditBatches } from './audit-queue.ts';

/** Records reads (ACC-43). */
export interface ReadAudits extends Component {
  /**
   * Resolves when an audit row covers the read: the first read of the same content by the same reader within ten
   * minutes waits until the row is written; further reads are counted in memory. The read succeeds even if the row
   * cannot be written; the failure is logged as an error that needs attention.
   */
  note(record: AuditRecord): Promise<void>;
}

export interface ReadAuditsDeps {
  /** Database connection with a time limit on its statements. */
  readonly auditDb: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Interval between writes of counts. A crash of the process loses the counts since the last write, but no rows. */
const COUNT_AFTER_MS = 2000;
/**
 * Maximum number of windows in memory, about 200 bytes each; a window covers the reads of the same content by the same
 * reader. If there are more, the oldest window is evicted, and the next read that belongs to it looks up the row in the
 * database.
 */
const MAX_WINDOWS = 50_000;
const COUNTED_AT_ONCE = 500;

export function createReadAudits(
  { auditDb, clock, logger }: ReadAuditsDeps,
  countAfterMs = COUNT_AFTER_MS,
): ReadAudits {
  const opening = createAuditBatches<PreparedRead, OpenedRead>((reads) => recordReads(auditDb, reads));
  const windows = new Map<string, Promise<OpenedRead | undefined>>();
  let counts = new Map<string, { reads: number; lastReadAt: Date }>();
  let timer: NodeJS.Timeout | undefined;

  async function open(record: AuditRecord, read: PreparedRead): Promise<OpenedRead | undefined> {
    try {
      return await opening.add(read);
    } catch (error) {
      const { action, resourceType, resourceId, requestId } = record;
      const facts = { action, resource_type: resourceType, resource_id: resourceId, request_id: requestId };
      logger.error('audit.read_failed', { ...facts, account_id: record.accountId, error });
      windows.delete(read.reader);
      return undefined;
    }
  }

  function remember(reader: string, window: Promise<OpenedRead | undefined>): void {
    const [oldest] = windows.keys();
    if (windows.size >= MAX_WINDOWS && oldest !== undefined) windows.delete(oldest);
    windows.set(reader, window);
  }

  function count({ auditId }: OpenedRead, at: Date): void {
    counts.set(auditId, { reads: (counts.get(auditId)?.reads ?? 0) + 1, lastReadAt: at });
    timer ??= setTimeout(() => void writeCounts(), countAfterMs).unref();
  }

  /** Writes the counts. Counts that could not be written are added to the next write. */
  async function writeCounts(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const due: ReadCount[] = [...counts].map(([auditId, each]) => ({ auditId, ...each }));
    counts = new Map();
    for (let at = 0; at < due.length; at += COUNTED_AT_ONCE) {
      const some = due.slice(at, at + COUNTED_AT_ONCE);
      try {
        await countReads(auditDb, some);
      } catch (error) {
        logger.warn('audit.count_failed', { rows: some.length, error });
        some.forEach(keepCount);
      }
    }
  }

  function keepCount({ auditId, reads, lastReadAt }: ReadCount): void {
    const later = counts.get(auditId);
    counts.set(auditId, { reads: reads + (later?.reads ?? 0), lastReadAt: later?.lastReadAt ?? lastReadAt });
    timer ??= setTimeout(() => void writeCounts(), countAfterMs).unref();
  }

  return {
    name: 'read audits',
    async note(record) {
      const now = clock.now();
      const row = prepareAudit({ ...record, occurredAt: now });
      const read = { row, reader: identifyRead(row) };
      for (let window = windows.get(read.reader); window !== undefined; window = windows.get(read.reader)) {
        const standing = await window;
        // Undefined means that the row could not be written. The error was logged once, for the first read; the reads
        // that waited for the same row log nothing.
        if (standing === undefined) return;
        if (now.getTime() - standing.openedAt.getTime() < READ_WINDOW_MS) return count(standing, now);
        // The first caller that detects the end of a window opens the next window, for which the other callers wait.
        if (windows.get(read.reader) === window) windows.delete(read.reader);
      }
      const window = open(record, read);
      remember(read.reader, window);
      await window;
    },
    async stop() {
      await opening.drain();
      await writeCounts();
    },
  };
}
