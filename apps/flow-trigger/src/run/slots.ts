/** Slots for work, granted in the order of requests. */
export interface Slots {
  /** Resolves with a function that releases the slot. */
  acquire(): Promise<() => void>;
  used(): number;
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let used = 0;

  function release(): void {
    const next = waiting.shift();
    // The slot passes to the next waiter directly, so that no later request can overtake the queue.
    if (next === undefined) used -= 1;
    else next();
  }

  function releaseOnce(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      release();
    };
  }

  return {
    async acquire() {
      if (used < count) used += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return releaseOnce();
    },
    used: () => used,
  };
}
