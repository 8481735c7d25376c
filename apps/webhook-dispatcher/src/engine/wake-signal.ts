import { createSleeper, type Sleeper } from '@steward/async';

/** Ends the loop's sleep, now or at a given time. */
export interface WakeSignal extends Sleeper {
  /** Wakes the loop after about the given time; calls for times within the same tenth of a second share a timer. */
  wakeIn(milliseconds: number): void;
  close(): void;
}

const BUCKET_MS = 100;

export function createWakeSignal(): WakeSignal {
  const timers = new Map<number, NodeJS.Timeout>();
  const sleeper = createSleeper();
  return {
    ...sleeper,
    wakeIn(milliseconds) {
      // The time is rounded up: the loop must not wake earlier, because the row that it waits for would not be due yet.
      const bucket = Math.ceil((performance.now() + milliseconds) / BUCKET_MS) + 1;
      if (timers.has(bucket)) return;
      const timer = setTimeout(
        () => {
          timers.delete(bucket);
          sleeper.wake();
        },
        bucket * BUCKET_MS - performance.now(),
      );
      timers.set(bucket, timer.unref());
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      sleeper.wake();
    },
  };
}
