import type { SessionItem } from './session-item.ts';

/** Reads the records of one format, in order. */
export interface FormatReader {
  /** Reads a record; `place` is its index in the file. */
  read(record: unknown, place: number): ReadRecord;
  /** Returns the entries that are waiting for further records. */
  end(): readonly SessionItem[];
}

export interface ReadRecord {
  /** Items of the record, created one by one: they must be iterated only once, before the next record is read. */
  readonly items: Iterable<SessionItem>;
  /**
   * Kind of a record that is unknown in this format, or contains something unknown. Known records that are skipped
   * (repetitions, state) have no kind.
   */
  readonly unknown?: string;
}

export const NOTHING: ReadRecord = { items: [] };

/** Source id of a session that is named neither by its file nor by the caller. */
export const UNNAMED_SESSION = '';

export interface FormatOptions {
  /**
   * Source id of the session to which records belong if they name no session. If it is set, all chats and LangSmith
   * runs belong to that session.
   */
  readonly sourceId?: string | undefined;
}
