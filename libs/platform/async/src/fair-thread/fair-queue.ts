/** A queue in which owners take turns: an owner that adds a hundred items delays others by only one item. */
export interface FairQueue<T> {
  add(owner: string, item: T): void;
  take(): T | undefined;
}

export function createFairQueue<T>(): FairQueue<T> {
  // A Map keeps the insertion order: the first owner is next, and is then moved to the end with its remaining items.
  const waiting = new Map<string, T[]>();
  return {
    add(owner, item) {
      const items = waiting.get(owner);
      if (items === undefined) waiting.set(owner, [item]);
      else items.push(item);
    },
    take() {
      const [next] = waiting;
      if (next === undefined) return undefined;
      const [owner, items] = next;
      const item = items.shift();
      waiting.delete(owner);
      if (items.length > 0) waiting.set(owner, items);
      return item;
    },
  };
}
