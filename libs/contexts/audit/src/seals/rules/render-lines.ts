import type { SealedRows } from '../store/audit-seal.store.ts';
import { presentEntry } from './present-entry.ts';

/** The seal before the first seal of an export. */
export interface ExportStart {
  readonly accountId: string;
  readonly number: number;
  readonly digest: Buffer;
  /** Set if the export begins after this seal because retention removed it and all earlier ones. */
  readonly removed?: { readonly seals: number; readonly entries: number } | undefined;
}

/** Returns the first line of an export of the audit log (ACC-51). */
export function renderStart({ accountId, number, digest, removed }: ExportStart): string {
  return renderLine('log', { account_id: accountId, after: number, digest: digest.toString('hex'), removed });
}

/** Returns the lines of a seal: its entries, in the order in which its digest covers them, and the seal itself. */
export function renderSeal({ seal, rows }: SealedRows): string {
  const entries = rows.map((row) => renderLine('entry', presentEntry(row))).join('');
  const line = renderLine('seal', {
    number: seal.number,
    entries: seal.audit_ids.length,
    previous_digest: seal.previous_digest.toString('hex'),
    digest: seal.digest.toString('hex'),
    sealed_at: seal.sealed_at,
  });
  return entries + line;
}

export interface ExportEnd {
  readonly seals: number;
  readonly entries: number;
  /** Number of rows that wait for a seal; set only if the export contains the newest seal. */
  readonly unsealed?: number;
  readonly unknown?: number;
}

/** Returns the last line; an export without this line is incomplete. */
export const renderEnd = (end: ExportEnd): string => renderLine('end', end);

function renderLine(record: 'log' | 'entry' | 'seal' | 'end', values: object): string {
  return `${JSON.stringify({ record, ...values })}\n`;
}
