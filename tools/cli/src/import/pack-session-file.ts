import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import { findCredentials, maskCredentials, maskJson } from '@steward/masking';
import { PACKED, type SessionFile } from './find-session-files.ts';
import { readUnpacked } from './read-packed.ts';
import { createBlobFilter } from '@steward/session-formats/describe-blob';
import { createRecordSplitter } from '@steward/session-formats/split-records';

export interface PackedFile {
  /** JSON lines without credentials, compressed with gzip. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Hash of the original file. */
  readonly hash: string;
  readonly records: number;
  /** Number of records that exceed the service's limit. */
  readonly tooLong: number;
  /**
   * Session id for messages without a session, derived from the file's path, so that it stays the same when the file
   * grows.
   */
  readonly sourceId: string | undefined;
  /** Number of hidden credentials, by rule. */
  readonly hidden: ReadonlyMap<string, number>;
}

/** Maximum length of a record, as in the service. */
const MOST_RECORD_CHARS = 4 * 1024 * 1024;

/** Reads a file record by record and hides the credentials; buffers at most one record and the compressed output. */
export async function packSessionFile(file: SessionFile): Promise<PackedFile> {
  const hash = createHash('sha256');
  const hidden = new Map<string, number>();
  const counts = { records: 0, tooLong: 0 };
  let isNameless = false;
  const toLine = (record: string | undefined): string => {
    counts.records += 1;
    if (counts.records === 1) isNameless = isBareMessage(record);
    // The index of each record is preserved, because it identifies entries without an id.
    if (record === undefined) counts.tooLong += 1;
    return `${record === undefined ? 'null' : maskRecord(record, hidden)}\n`;
  };
  async function* readLines(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    const splitter = createRecordSplitter(
      file.path.replace(PACKED, '').endsWith('.json') ? 'values' : 'lines',
      MOST_RECORD_CHARS,
    );
    const blobs = createBlobFilter();
    for await (const part of readBytes(file)) {
      hash.update(part);
      yield splitter
        .push(blobs.push(decoder.decode(part, { stream: true })))
        .map(toLine)
        .join('');
    }
    yield [...splitter.push(blobs.push(decoder.decode()) + blobs.end()), ...splitter.end()].map(toLine).join('');
  }
  const bytes = await collect(Readable.from(readLines()), createGzip());
  const sourceId = isNameless ? nameByFile(file.path) : undefined;
  return { bytes, hash: hash.digest('hex'), hidden, sourceId, ...counts };
}

/** Returns a session id derived from the path: files with the same name in two folders are two different sessions. */
function nameByFile(path: string): string {
  const name = basename(path.replace(PACKED, '')).replace(/\.(jsonl|ndjson|json)$/, '');
  return `${name.slice(0, 200)}-${createHash('sha256').update(path.replace(PACKED, '')).digest('hex').slice(0, 8)}`;
}

const NAMES_OF_SESSIONS = [
  'sessionId',
  'session_id',
  'conversation_id',
  'thread_id',
  'session_source_id',
  'uuid',
  'type',
];

/** Returns true for a message from a list, in the format of SDKs. */
function isBareMessage(record: string | undefined): boolean {
  let value: unknown;
  try {
    value = JSON.parse(record ?? 'null');
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const isMessage = typeof fields['role'] === 'string' && ('content' in fields || 'parts' in fields);
  return isMessage && !NAMES_OF_SESSIONS.some((name) => name in fields && fields[name] !== 'message');
}

/** Computes the same hash as `packSessionFile`, without packing the file. */
export async function hashFile(file: SessionFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of readBytes(file)) hash.update(part);
  return hash.digest('hex');
}

async function* readBytes({ path, readRecords }: SessionFile): AsyncGenerator<Buffer> {
  if (readRecords === undefined) yield* readUnpacked(path);
  else for await (const record of readRecords()) yield Buffer.from(`${record}\n`);
}

async function collect(lines: Readable, gzip: Transform): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  lines.once('error', (error) => gzip.destroy(error));
  for await (const part of lines.pipe(gzip)) parts.push(part as Buffer);
  return new Uint8Array(Buffer.concat(parts));
}

function maskRecord(record: string, hidden: Map<string, number>): string {
  const masked = maskText(record);
  if (masked === undefined) return record.replaceAll('\n', ' ');
  const { credentials } = findCredentials(record);
  for (const { rule } of credentials) hidden.set(rule, (hidden.get(rule) ?? 0) + 1);
  if (credentials.length === 0) hidden.set('named', (hidden.get('named') ?? 0) + 1);
  return masked;
}

/**
 * Masks a record. Returns undefined if nothing had to be hidden. Invalid JSON, such as the last line of a file to which
 * an agent is still writing, is masked as text.
 */
function maskText(record: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(record);
  } catch {
    const masked = maskCredentials(record).replaceAll('\n', ' ');
    return masked === record ? undefined : masked;
  }
  const masked = JSON.stringify(maskJson(value));
  return masked === JSON.stringify(value) ? undefined : masked;
}
