import type { SessionItem } from '../session-item.ts';

/** Maximum distance between the two lines with the same text, and the number of remembered texts. */
const MOST_BETWEEN = 16;

/** A text in an event of the terminal. */
export interface EventWords {
  readonly role: string;
  readonly text: string;
  readonly place: number;
  readonly item: SessionItem;
}

/**
 * Pairs of texts in items and in events, in either order, or in only one of them. The first of them determines the
 * entry's id: both form one entry, wherever the file ended when it was read.
 */
export interface Echoes {
  /** Returns true if an item had this text before; otherwise the event waits for its item. */
  hearEvent(words: EventWords): boolean;
  /** Returns the id of the event that had this text before. */
  hearItem(role: string, text: string, place: number): string | undefined;
  /** Returns events without a matching item. */
  release(place: number): readonly SessionItem[];
}

export function createEchoes(): Echoes {
  let said: { readonly role: string; readonly text: string; readonly place: number }[] = [];
  let waiting: EventWords[] = [];

  return {
    hearEvent(words) {
      const found = said.find(({ role, text }) => role === words.role && text.includes(words.text.trim()));
      // A reasoning item has an event for each of its parts, so it is kept for further ones.
      if (found !== undefined && words.role !== 'thinking') said = said.filter((each) => each !== found);
      if (found === undefined) waiting.push(words);
      return found !== undefined;
    },
    hearItem(role, text, place) {
      const isSame = (words: EventWords): boolean => words.role === role && text.includes(words.text.trim());
      const found = waiting.find(isSame);
      if (found === undefined) said.push({ role, text, place });
      else waiting = waiting.filter((words) => words !== found && !(role === 'thinking' && isSame(words)));
      return found?.item.entry.externalId;
    },
    release(place) {
      said = said.filter((each) => place - each.place <= MOST_BETWEEN);
      const late = waiting.filter((words) => place - words.place > MOST_BETWEEN);
      if (late.length > 0) waiting = waiting.filter((words) => !late.includes(words));
      return late.map(({ item }) => item);
    },
  };
}
