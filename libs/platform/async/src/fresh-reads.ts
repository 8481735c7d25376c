/**
 * Shares one read between all callers that request it at the same time. No caller gets data that was read before its
 * request: callers during a read share the next one. Therefore no caller gets outdated data, and at most one read per
 * name runs at a time.
 */
export type FreshReads<T> = (name: string, read: () => Promise<T>) => Promise<T>;

interface Reads<T> {
  readonly current: Promise<T>;
  next: Promise<T> | undefined;
}

export function createFreshReads<T>(): FreshReads<T> {
  const byName = new Map<string, Reads<T>>();

  function start(name: string, read: () => Promise<T>): Promise<T> {
    const reads: Reads<T> = { current: read(), next: undefined };
    byName.set(name, reads);
    const forget = (): void => {
      if (reads.next === undefined) byName.delete(name);
    };
    reads.current.then(forget, forget);
    return reads.current;
  }

  return (name, read) => {
    const reads = byName.get(name);
    if (reads === undefined) return start(name, read);
    const startNext = (): Promise<T> => start(name, read);
    reads.next ??= reads.current.then(startNext, startNext);
    return reads.next;
  };
}
