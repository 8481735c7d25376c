/** Limits how many callers run at the same time; the others wait in order. */
export interface Turns {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(most: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await work();
      } finally {
        // The turn passes directly to the next caller in the queue, so that no later caller can take it.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
