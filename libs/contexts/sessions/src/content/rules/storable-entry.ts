import { toStorableJson } from '@steward/text';
import type { SessionContentEntry } from './content-kinds.ts';

/**
 * Makes every text storable in Postgres: NUL and lone surrogates become U+FFFD (API-7), before anything else reads the
 * entry, so that the stored body and its chunks are equal.
 */
export function toStorableEntry<Entry extends SessionContentEntry>(entry: Entry): Entry {
  const { occurredAt, ...texts } = entry;
  return { ...toStorableJson(texts), occurredAt } as Entry;
}
