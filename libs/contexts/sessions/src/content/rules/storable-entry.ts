import { toStorableJson } from '@steward/text';
import type { SessionContentEntry } from './content-kinds.ts';

/**
 * Returns the entry with every string storable in Postgres: NUL and lone surrogates are replaced with U+FFFD (API-7).
 * This is done before any other code reads the entry, so that the stored body and its chunks contain the same text.
 */
export function toStorableEntry<Entry extends SessionContentEntry>(entry: Entry): Entry {
  const storable = toStorableJson(entry);
  // The time is a Date and not JSON, so the copy of the entry gets the original value.
  return storable === entry ? entry : { ...storable, occurredAt: entry.occurredAt };
}
