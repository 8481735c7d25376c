/** Value together with a record of the fields that have been read. */
export interface Watched<T> {
  readonly value: T;
  readonly original: T;
  /** Fields that have been read, by object in the value. */
  readonly reads: ReadonlyMap<object, ReadonlySet<string>>;
}

export function watchReads<T extends object>(original: T): Watched<T> {
  const reads = new Map<object, Set<string>>();
  const proxies = new Map<object, object>();
  const wrap = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    let proxy = proxies.get(value);
    if (proxy === undefined) {
      proxy = new Proxy(value, {
        get(target, key, receiver) {
          const found: unknown = Reflect.get(target, key, receiver);
          if (typeof key === 'string') reads.set(target, (reads.get(target) ?? new Set()).add(key));
          return wrap(found);
        },
      });
      proxies.set(value, proxy);
    }
    return proxy;
  };
  return { value: wrap(original) as T, original, reads };
}

/** Returns the paths of the fields that were not read. An object of which nothing was read may contain anything. */
export function listUnreadFields({ original, reads }: Watched<object>): string[] {
  const unread: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const known = reads.get(value);
    if (known === undefined) return;
    for (const [key, child] of Object.entries(value)) {
      if (known.has(key)) walk(child, `${path}/${key}`);
      else unread.push(`${path}/${key}`);
    }
  };
  walk(original, '');
  return unread;
}
