import { setImmediate } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { parseJsonText } from '@steward/http';
import {
  createBlobFilter,
  createRecordSplitter,
  createSessionReader,
  FOREIGN_FORMATS,
  RecordRefused,
  UNNAMED_SESSION,
  type SessionFormat,
  type SessionItem,
} from '@steward/session-formats';
import { toStorableJson } from '@steward/text';
import { refuseOversizedText } from '@steward/api';
import { gatherBatches, keyOf, type SessionBatch, type StoredBatch } from '@steward/sessions';
import type { ImportSummary } from './import-schemas.ts';

export type Summary = Static<typeof ImportSummary>;

export interface ImportTask {
  readonly parts: AsyncIterable<Buffer>;
  readonly kind: 'lines' | 'values';
  readonly format: SessionFormat | undefined;
  readonly sourceId: string | undefined;
  readonly now: () => Date;
  /**
   * Schedules the processing of a record of this size: only a few large records and bodies are processed at once,
   * across all requests.
   */
  readonly inTurn: (chars: number, work: () => Promise<void>) => Promise<void>;
  /** Stores a batch; in a dry run, only counts its entries. */
  readonly store: (batch: SessionBatch) => Promise<StoredBatch>;
  readonly onProgress: (summary: Summary) => void;
}

export interface ImportRun {
  /** Returns the summary of the import so far. */
  summary(): Summary;
  /** Returns the ids of the sessions stored so far. */
  sessionIds(): readonly string[];
  /** Reads the whole input and stores its content. Data stored before an error is not rolled back. */
  run(): Promise<void>;
}

/** Maximum length of one record in characters: the same number as the limit in bytes of other bodies of content. */
const MOST_RECORD_CHARS = 4 * 1024 * 1024;
/** Maximum number of sessions per import; their ids are kept in memory until it ends (LIM-41). */
const MOST_SESSIONS = 10_000;

/**
 * Creates an import, which parses a file part by part and stores its entries in batches, so that the whole file is
 * never in memory. Other requests are processed between the parts.
 */
export function createImportRun(task: ImportTask): ImportRun {
  const reader = createSessionReader({ format: task.format, sourceId: task.sourceId, parse: parseRecord });
  const splitter = createRecordSplitter(task.kind, MOST_RECORD_CHARS);
  const batches = gatherBatches(task.now);
  const sessions = new Map<string, string | undefined>();
  const counts = { created: 0, entries: 0, copied: 0, replaced: 0, skipped: 0 };

  const summary = (): Summary => ({
    format: reader.format ?? null,
    records: reader.records,
    sessions: sessions.size,
    ...counts,
    unknown_lines: reader.unknown,
    warnings: listWarnings(reader.format, reader.records, reader.unknown),
  });

  async function store(ready: readonly SessionBatch[]): Promise<void> {
    for (const batch of ready) {
      const key = keyOf(batch.head);
      if (!sessions.has(key) && sessions.size >= MOST_SESSIONS) throw refuseSessions();
      const { sessionId, created, stored, copied, replaced, skipped } = await task.store(batch);
      sessions.set(key, sessionId);
      counts.created += created ? 1 : 0;
      counts.entries += stored;
      counts.copied += copied;
      counts.replaced += replaced;
      counts.skipped += skipped;
      await setImmediate();
    }
    if (ready.length > 0) task.onProgress(summary());
  }

  async function take(items: Iterable<SessionItem>): Promise<void> {
    for (const item of items) {
      if (item.session.sourceId === UNNAMED_SESSION) throw refuseUnnamed();
      const ready = batches.add(item);
      if (ready.length > 0) await store(ready);
    }
  }

  async function takeRecords(records: readonly (string | undefined)[]): Promise<void> {
    for (const record of records) await task.inTurn(record?.length ?? 0, () => take(reader.read(record)));
  }

  return {
    summary,
    sessionIds: () => [...sessions.values()].filter((id) => id !== undefined),
    async run() {
      const decoder = new TextDecoder();
      // Base64 data, such as images, is removed before any limit is checked, since the limits apply only to stored
      // data.
      const blobs = createBlobFilter();
      for await (const part of task.parts) {
        await takeRecords(splitter.push(blobs.push(decoder.decode(part, { stream: true }))));
      }
      await takeRecords([...splitter.push(blobs.push(decoder.decode()) + blobs.end()), ...splitter.end()]);
      await take(reader.end());
      await store(batches.flush());
    },
  };
}

/** Parses a record, and applies the same limits as for all other bodies (LIM-14 to LIM-17). */
function parseRecord(record: string): unknown {
  const { value } = readJson(record);
  try {
    refuseOversizedText(value, record.length * 3);
  } catch (cause) {
    throw new RecordRefused('a string is too long', { cause });
  }
  return toStorableJson(value);
}

/**
 * Parses JSON.
 * @throws RecordRefused for valid JSON beyond the limits of a body
 */
function readJson(record: string): { readonly value: unknown } {
  try {
    return parseJsonText(Buffer.from(record));
  } catch (cause) {
    if (cause instanceof AppError && 'limit' in (cause.detail ?? {})) throw new RecordRefused('too much', { cause });
    throw cause;
  }
}

function listWarnings(
  format: string | undefined,
  records: number,
  unknown: Readonly<Record<string, number>>,
): string[] {
  const warnings: string[] = [];
  if (records === 0) warnings.push('The file is empty.');
  else if (format === undefined) warnings.push(describeUnread(unknown));
  if ((unknown['too_long'] ?? 0) > 0)
    warnings.push(`Records longer than ${MOST_RECORD_CHARS} characters were skipped.`);
  return warnings;
}

/** Returns the warning for a file without recognized records; the warning names the format if it is known. */
function describeUnread(unknown: Readonly<Record<string, number>>): string {
  const name = Object.keys(unknown).find((kind) => FOREIGN_FORMATS.has(kind));
  if (name !== undefined) return `This is a known format that is not supported: ${name}.`;
  return 'The format was not recognized. Set it with ?format=.';
}

function refuseUnnamed(): AppError {
  const message =
    'The file does not name a session. Set one with ?session_source_id=..., and use the same id each time you send the file.';
  return new AppError('invalid_request', { message, detail: { field: 'session_source_id' } });
}

function refuseSessions(): AppError {
  return new AppError('invalid_request', {
    message: `One import can contain at most ${MOST_SESSIONS} sessions. Send the rest in another import.`,
    detail: { limit: MOST_SESSIONS },
  });
}
