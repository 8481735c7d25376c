import type { SessionItem } from './session-item.ts';

/** Reads the records of one format, in order. */
export interface FormatReader {
  /** Reads a record; `place` is its index in the file. */
  read(record: unknown, place: number): ReadRecord;
  /** Called at the end of the file; returns the entries that were still waiting for further records. */
  end(): readonly SessionItem[];
}

export interface ReadRecord {
  /** Items of the record, created one by one: they must be iterated only once, before the next record is read. */
  readonly items: Iterable<SessionItem>;
  /**
   * Kind of the record if it is unknown in this format or contains something unknown; undefined for any other record,
   * even if it is skipped (repetitions, state).
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
