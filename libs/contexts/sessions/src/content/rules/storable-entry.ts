import { toStorableJson } from '@steward/text';
import type { SessionContentEntry } from './content-kinds.ts';

/**
 * Makes every string storable in Postgres: NUL and lone surrogates become U+FFFD (API-7), before any other code reads
 * the entry, so that the stored body and its chunks contain the same text.
 */
export function toStorableEntry<Entry extends SessionContentEntry>(entry: Entry): Entry {
  const storable = toStorableJson(entry);
  // The time is no JSON: a copy of it is replaced.
  return storable === entry ? entry : { ...storable, occurredAt: entry.occurredAt };
}
