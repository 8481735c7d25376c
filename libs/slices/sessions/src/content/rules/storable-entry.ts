import { toStorableJson } from '@steward/text';
import type { SessionContentEntry } from './content-kinds.ts';

/**
 * The entry with every text as Postgres can hold it: NUL and lone surrogates become U+FFFD (API-7),
 * before anything else looks at it, so that the stored body and its chunks say the same.
 */
export function toStorableEntry<Entry extends SessionContentEntry>(entry: Entry): Entry {
  const { occurredAt, ...texts } = entry;
  return { ...toStorableJson(texts), occurredAt } as Entry;
}
