import { createSessionReader, type SessionReaderOptions } from '../create-session-reader.ts';
import type { ImportedEntry, SessionItem } from '../session-item.ts';
import { createRecordSplitter } from '../split-records.ts';

/** Reads a file that arrives in parts; returns its entries. */
export function readParts(parts: readonly string[], kind: 'lines' | 'values', options?: SessionReaderOptions) {
  const splitter = createRecordSplitter(kind, 1_000_000);
  const reader = createSessionReader(options);
  const records = [...parts.flatMap((part) => splitter.push(part)), ...splitter.end()];
  const items: SessionItem[] = [...records.flatMap((record) => [...reader.read(record)]), ...reader.end()];
  return { reader, items };
}

/** Returns the entries of a file with these lines. */
export const readLines = (lines: readonly unknown[], options?: SessionReaderOptions): readonly ImportedEntry[] =>
  readParts([lines.map((line) => JSON.stringify(line)).join('\n')], 'lines', options).items.map(({ entry }) => entry);
