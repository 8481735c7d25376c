import type { SessionHead, SessionItem } from './session-item.ts';

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

/** What is known of a session so far. */
export interface SessionNotes {
  title: string | undefined;
  endedAt?: Date | undefined;
  /** Ignores what is no text. */
  label(name: string, value: unknown): void;
  head(): SessionHead;
}

const MOST_LABEL_CHARS = 200;
const MOST_ID_CHARS = 512;
const MOST_TITLE_CHARS = 2000;

export function createSessionNotes(sourceType: string, sourceId: string): SessionNotes {
  const labels: Record<string, string> = {};
  const notes: SessionNotes = {
    title: undefined,
    label(name, value) {
      if (typeof value === 'string' && value !== '') labels[name] = value.slice(0, MOST_LABEL_CHARS);
    },
    head: () => ({
      sourceType,
      sourceId: sourceId.slice(0, MOST_ID_CHARS),
      ...(notes.title === undefined ? {} : { title: notes.title.slice(0, MOST_TITLE_CHARS) }),
      labels: { ...labels },
      ...(notes.endedAt === undefined ? {} : { endedAt: notes.endedAt }),
    }),
  };
  return notes;
}
