import { useSyncExternalStore } from 'react';

/**
 * A value that is stored outside the components; the components that use the value are rendered again when it changes.
 */
export interface Store<Value> {
  readonly read: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listen: () => void) => () => void;
  readonly use: () => Value;
}

export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  const read = (): Value => value;
  const subscribe = (listen: () => void): (() => void) => {
    listeners.add(listen);
    return () => listeners.delete(listen);
  };
  return {
    read,
    subscribe,
    set: (next) => {
      value = next;
      for (const listen of listeners) listen();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
}
