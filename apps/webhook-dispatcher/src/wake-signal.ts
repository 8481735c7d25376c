/** What ends the loop's sleep. A wake that comes while it is awake is kept for the next sleep, so none is lost. */
export interface WakeSignal {
  wake(): void;
  /** Wakes at about the given time from now; calls within the same tenth of a second share a timer. */
  wakeIn(milliseconds: number): void;
  /** Resolves at a wake or after `milliseconds`. */
  sleep(milliseconds: number): Promise<void>;
  close(): void;
}

const BUCKET_MS = 100;

export function createWakeSignal(): WakeSignal {
  const timers = new Map<number, NodeJS.Timeout>();
  let pending = false;
  let end: (() => void) | undefined;

  function wake(): void {
    if (end === undefined) pending = true;
    else end();
  }

  return {
    wake,
    wakeIn(milliseconds) {
      // Rounded up: never before the time, or the row would not be due yet.
      const bucket = Math.ceil((performance.now() + milliseconds) / BUCKET_MS) + 1;
      if (timers.has(bucket)) return;
      const timer = setTimeout(
        () => {
          timers.delete(bucket);
          wake();
        },
        bucket * BUCKET_MS - performance.now(),
      );
      timers.set(bucket, timer.unref());
    },
    sleep(milliseconds) {
      if (pending) {
        pending = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => end?.(), milliseconds);
        end = () => {
          clearTimeout(timer);
          end = undefined;
          resolve();
        };
      });
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      wake();
    },
  };
}
