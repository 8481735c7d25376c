/**
 * Creates a memory of the last thousand event ids. Delivery is at least once, so a receiver may get the same event
 * again.
 */
export function createEventMemory(): { has(id: string): boolean; add(id: string): void } {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > 1000 && oldest !== undefined) ids.delete(oldest);
    },
  };
}
