import type { SessionHead } from './session-item.ts';

/** Data known so far about a session. */
export interface SessionNotes {
  title: string | undefined;
  endedAt?: Date | undefined;
  /** Sets a label. Values that are empty or not strings are ignored. */
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
