import type { AnyDatabase } from '@steward/database';
import { readListenerEvents } from '../listeners/operations/read-listener-events.ts';
import { FIRST_POSITION, parsePosition, type Position } from '../listeners/rules/position.ts';

export interface ListenerReader {
  position(): Position;
  goTo(text: string): void;
  /** Reads the next page, and returns the outcome with the ids of the events and their positions. */
  read(): Promise<{ readonly kind: string; readonly ids: string[]; readonly places: string[] }>;
}

/** Opens a reader of one listener that stores its position as a client does. */
export function openListenerReader(
  db: AnyDatabase,
  listener: { readonly accountId: string; readonly id: string },
  limit = 20,
): ListenerReader {
  let position = FIRST_POSITION;
  return {
    position: () => position,
    goTo: (text) => void (position = parsePosition(text) ?? position),
    async read() {
      const read = await readListenerEvents(db, listener, position, limit);
      if (read.kind !== 'read') return { kind: read.kind, ids: [], places: [] };
      position = read.position;
      return {
        kind: read.kind,
        ids: read.events.map((event) => event.eventId),
        places: read.events.map((event) => event.position),
      };
    },
  };
}
