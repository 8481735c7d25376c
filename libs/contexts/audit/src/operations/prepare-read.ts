import { createHash } from 'node:crypto';
import type { PreparedAudit } from './prepare-audit.ts';

/**
 * Time in milliseconds: reads of the same content by the same reader within this time after the first one share one row
 * (ACC-43).
 */
export const READ_WINDOW_MS = 600_000;

/** A row to be written unless another row already covers its read. */
export interface PreparedRead {
  readonly row: PreparedAudit;
  /** The result of `identifyRead`. */
  readonly reader: string;
}

/** The row that covers a read; another process may have written it. */
export interface OpenedRead {
  readonly auditId: string;
  /** Time of the first read that the row covers. */
  readonly openedAt: Date;
}

/** Returns the key of reads that share a row: SHA-256, in hex, of the row without its id, time and request id. */
export function identifyRead(row: PreparedAudit): string {
  const { id: _id, occurred_at: _at, request_id: _request, ...rest } = row;
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(rest).sort()))
    .digest('hex');
}
