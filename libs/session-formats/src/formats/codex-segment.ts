import { boundedId, hashContent, placedId } from '../rules/entry-id.ts';
import type { Fields } from '../rules/json-access.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

/** Maximum number of remembered texts of a session, used to find text that only a compaction contains. */
const MOST_SAID = 20_000;

/** The part of a file that belongs to one session. */
export interface Segment {
  readonly notes: SessionNotes;
  /** Index in the file where the session began. */
  readonly firstPlace: number;
  /** Index in the file of the latest description of the session. */
  formerPlace: number;
  /** Number of entries per time and content since the last description of the session. */
  readonly equals: Map<string, number>;
  readonly said: Set<string>;
}

export function startSegment(sessionId: string, place: number): Segment {
  const notes = createSessionNotes('codex', sessionId);
  return { notes, firstPlace: place, formerPlace: place, equals: new Map(), said: new Set() };
}

/**
 * Returns the ids of an entry. `externalId` is derived from time and content: equal texts at different times are
 * different entries, and the position in the file has no effect. Without a time, it is derived from index and content.
 * `formerId`, which only an entry with a time has, is always derived from index and content.
 */
export function makeIds(
  segment: Segment,
  value: Fields,
  occurredAt: Date | undefined,
  place: number,
): { readonly externalId: string; readonly formerId?: string } {
  if (occurredAt === undefined) return { externalId: boundedId(placedId(place - segment.firstPlace, value)) };
  const formerId = boundedId(placedId(place - segment.formerPlace, value));
  return { externalId: countName(segment, `${occurredAt.toISOString()}:${hashContent(value)}`), formerId };
}

/**
 * Returns a unique name for a response: several responses can have the same time, because a fork writes all inherited
 * lines at the same time.
 */
export function nameResponse(segment: Segment, name: string): string {
  return countName(segment, `response:${name}`).slice('response:'.length);
}

function countName({ equals }: Segment, name: string): string {
  const count = (equals.get(name) ?? 0) + 1;
  equals.set(name, count);
  return count === 1 ? name : `${name}#${count}`;
}

/** Remembers a text of the session. Returns true if it is new. */
export function remember({ said }: Segment, role: string, text: string): boolean {
  const key = `${role}:${hashContent(text.replace(/\s+/g, ''))}`;
  const isNew = !said.has(key);
  if (said.size < MOST_SAID) said.add(key);
  return isNew;
}
