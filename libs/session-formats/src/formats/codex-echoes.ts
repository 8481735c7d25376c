import type { SessionItem } from '../session-item.ts';

/** Maximum distance, in lines, between the two lines with the same text; a text is forgotten after this distance. */
const MOST_BETWEEN = 16;

/** A text in an event (`event_msg`); an item usually contains the same text. */
export interface EventWords {
  readonly role: string;
  readonly text: string;
  readonly place: number;
  readonly item: SessionItem;
}

/**
 * Pairs each text of an item with the same text of an event. The two texts come in either order, or only one of them
 * exists. The first text determines the entry's id, so that both form one entry even if the file contained only the
 * first when it was read.
 */
export interface Echoes {
  /** Returns true if an item had this text before; otherwise the event waits for its item. */
  hearEvent(words: EventWords): boolean;
  /** Returns the id of the event that had this text before. */
  hearItem(role: string, text: string, place: number): string | undefined;
  /** Returns the events whose item can no longer follow. */
  release(place: number): readonly SessionItem[];
}

export function createEchoes(): Echoes {
  let said: { readonly role: string; readonly text: string; readonly place: number }[] = [];
  let waiting: EventWords[] = [];

  return {
    hearEvent(words) {
      const found = said.find(({ role, text }) => role === words.role && text.includes(words.text.trim()));
      // A reasoning item has an event for each of its parts, so the item is kept for further events.
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
