import type { SessionHead, SessionItem } from '@steward/session-formats';
import type { SessionContentEntry } from '../content/rules/content-kinds.ts';
import { toContentEntry } from './to-content-entry.ts';

/** Entries of one session, in order, to be stored in one transaction. */
export interface SessionBatch {
  readonly head: SessionHead;
  readonly entries: readonly SessionContentEntry[];
  /** Approximate number of characters of the batch's entries when serialized as JSON. */
  readonly size: number;
}

/**
 * Limits of all gathered batches together: the number of characters keeps the rendering below 5 ms, except for a larger
 * single entry; the number of entries keeps the transactions short.
 */
const MOST_CHARS = 64 * 1024;
const MOST_ENTRIES = 200;

export interface BatchGatherer {
  /** Adds an item, and returns the batches that have to be stored now. */
  add(item: SessionItem): readonly SessionBatch[];
  flush(): readonly SessionBatch[];
}

interface Gathered {
  head: SessionHead;
  items: SessionItem[];
  size: number;
}

/**
 * Groups entries by session into batches that are small enough for one transaction. An entry without a time gets the
 * time of the previous entry of its session. If there is no previous entry, it gets the time of the first entry in the
 * batch that has one, or else the present time.
 */
export function gatherBatches(now: () => Date): BatchGatherer {
  const gathered = new Map<string, Gathered>();
  const lastTimes = new Map<string, Date>();
  let chars = 0;
  let count = 0;

  function flush(): SessionBatch[] {
    const batches = [...gathered].map(([key, { head, items, size }]) => {
      const first = items.find(({ entry }) => entry.occurredAt !== undefined)?.entry.occurredAt;
      let time = lastTimes.get(key) ?? first ?? now();
      const entries = items.map(({ entry }) => toContentEntry(entry, (time = entry.occurredAt ?? time)));
      lastTimes.set(key, time);
      return { head, entries, size };
    });
    gathered.clear();
    chars = 0;
    count = 0;
    return batches;
  }

  return {
    add(item) {
      const key = keyOf(item.session);
      const batch = gathered.get(key) ?? { head: item.session, items: [], size: 0 };
      const size = measure(item.entry);
      batch.head = item.session;
      batch.items.push(item);
      batch.size += size;
      gathered.set(key, batch);
      chars += size;
      count += 1;
      return chars >= MOST_CHARS || count >= MOST_ENTRIES ? flush() : [];
    },
    flush,
  };
}

/** Number of characters for brackets, quotes and a comma. */
const SIGNS = 4;

/** Returns the approximate length of a value when serialized as JSON, without serializing it. */
function measure(value: unknown): number {
  if (typeof value === 'string') return value.length + SIGNS;
  if (typeof value !== 'object' || value === null) return SIGNS;
  let chars = SIGNS;
  for (const [key, entry] of Object.entries(value)) chars += key.length + measure(entry);
  return chars;
}

export function keyOf({ sourceType, sourceId }: SessionHead): string {
  return JSON.stringify([sourceType, sourceId]);
}
