import type { SessionItem } from './session-item.ts';

/** Reads the records of one format, in their order. */
export interface FormatReader {
  /** `place`: which record of the file it is. */
  read(record: unknown, place: number): ReadRecord;
  /** What had to wait for more. */
  end(): readonly SessionItem[];
}

export interface ReadRecord {
  /** Of a list made one by one: gone through once, before the next record is read. */
  readonly items: Iterable<SessionItem>;
  /** The kind of a record that this format does not know. What it knows and leaves out (repetitions, state) is no such kind. */
  readonly unknown?: string;
}

export const NOTHING: ReadRecord = { items: [] };

/** The source id of a session that neither its file nor the caller names. */
export const UNNAMED_SESSION = '';

export interface FormatOptions {
  /** The session of records that name none. */
  readonly sourceId?: string | undefined;
}
