import { createHash } from 'node:crypto';
import type { PreparedAudit } from './prepare-audit.ts';

/** Reads within so long of the first are one row (ACC-43). */
export const READ_WINDOW_MS = 600_000;

/** A row to be written if no other stands for its read yet. */
export interface PreparedRead {
  readonly row: PreparedAudit;
  /** As `identifyRead` has it. */
  readonly reader: string;
}

/** The row that stands for a read, which another process may have written. */
export interface OpenedRead {
  readonly auditId: string;
  /** When the first read of the row was. */
  readonly openedAt: Date;
}

/** What two reads have in common that are one row: SHA-256, in hex, of all that the row says but when and in which request. */
export function identifyRead(row: PreparedAudit): string {
  const { id: _id, occurred_at: _at, request_id: _request, ...rest } = row;
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(rest).sort()))
    .digest('hex');
}
