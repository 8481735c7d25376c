import type { SessionHead, SessionItem } from '@steward/session-formats';
import type { SessionContentEntry } from '@steward/slice-sessions';
import { toContentEntry } from './to-content-entry.ts';

/** Entries of one session, in their order, to be stored in one transaction. */
export interface SessionBatch {
  readonly head: SessionHead;
  readonly entries: readonly SessionContentEntry[];
  /** About as many characters as its records had. */
  readonly size: number;
}

/** As much is rendered in 5 ms; a transaction of so many entries is a short one. */
const MOST_CHARS = 64 * 1024;
const MOST_ENTRIES = 200;

export interface BatchGatherer {
  /** Takes what one record gave, however much it is; answers what has to be stored now. */
  add(items: readonly SessionItem[], recordChars: number): readonly SessionBatch[];
  flush(): readonly SessionBatch[];
}

interface Gathered {
  head: SessionHead;
  items: SessionItem[];
  size: number;
}

/** Gathers entries by session, no more at a time than a transaction should hold. Entries without a time have that of the one before. */
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
    add(items, recordChars) {
      const ready: SessionBatch[] = [];
      const itemChars = recordChars / items.length;
      for (const item of items) {
        const key = keyOf(item.session);
        const batch = gathered.get(key) ?? { head: item.session, items: [], size: 0 };
        batch.head = item.session;
        batch.items.push(item);
        batch.size += itemChars;
        gathered.set(key, batch);
        chars += itemChars;
        count += 1;
        if (chars >= MOST_CHARS || count >= MOST_ENTRIES) ready.push(...flush());
      }
      return ready;
    },
    flush,
  };
}

export function keyOf({ sourceType, sourceId }: SessionHead): string {
  return JSON.stringify([sourceType, sourceId]);
}
