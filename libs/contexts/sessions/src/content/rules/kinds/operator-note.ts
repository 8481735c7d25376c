import { toJson, type ContentKind, type EntryTime } from './content-kind.ts';

export interface NoteEntry extends EntryTime {
  readonly kind: 'operator_note';
  /** Id of the note, if it already exists; the content gets the same id. */
  readonly id?: string | undefined;
  readonly text: string;
}

export const OPERATOR_NOTE: ContentKind<NoteEntry> = {
  toColumns: (entry) => ({ role: 'operator', contentJson: toJson(entry.text) }),
  toEntry: (row) => ({ kind: 'operator_note', text: row.content as string }),
  toSearchText: (entry) => ({ text: entry.text, redactionState: 'clear' }),
};
