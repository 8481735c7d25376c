import type { SessionItem } from '../session-item.ts';

/** How far apart the two lines of one sentence stand at most, and how many are remembered. */
const MOST_BETWEEN = 16;

/** A sentence that stands in an event of the terminal. */
export interface EventWords {
  readonly role: string;
  readonly text: string;
  readonly place: number;
  readonly item: SessionItem;
}

/**
 * What is said stands in an item and in an event, either first, or in one of the two alone. The first of them gives the id of the
 * entry: so it is one entry, wherever the file ended when it was read.
 */
export interface Echoes {
  /** True when an item has said it before; else it waits for its item. */
  hearEvent(words: EventWords): boolean;
  /** The id of the event that said this before. */
  hearItem(role: string, text: string, place: number): string | undefined;
  /** Events whose item does not come. */
  release(place: number): readonly SessionItem[];
}

export function createEchoes(): Echoes {
  let said: { readonly role: string; readonly text: string; readonly place: number }[] = [];
  let waiting: EventWords[] = [];

  return {
    hearEvent(words) {
      const found = said.find(({ role, text }) => role === words.role && text.includes(words.text.trim()));
      // Thoughts are one item and an event for each of their parts.
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
