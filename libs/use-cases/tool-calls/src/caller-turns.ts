import { createTurns, type Turns } from '@steward/async';

/** Runs all work for the same key sequentially; a key without work takes no memory. */
export interface CallerTurns {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createCallerTurns(): CallerTurns {
  const byKey = new Map<string, { readonly turns: Turns; users: number }>();
  return {
    async run(key, work) {
      const entry = byKey.get(key) ?? { turns: createTurns(1), users: 0 };
      byKey.set(key, entry);
      entry.users += 1;
      try {
        return await entry.turns.run(work);
      } finally {
        entry.users -= 1;
        if (entry.users === 0) byKey.delete(key);
      }
    },
  };
}
