/** Places for work, given out in the order they were asked for. */
export interface Slots {
  /** Resolves with the way to give the place back. */
  acquire(): Promise<() => void>;
  used(): number;
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let used = 0;

  function release(): void {
    const next = waiting.shift();
    // Handed on without being free in between: nobody can overtake the queue.
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
