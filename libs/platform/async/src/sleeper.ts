/**
 * A sleep that other code can end. A wake-up while nothing sleeps ends the next sleep immediately, so no wake-up is
 * lost.
 */
export interface Sleeper {
  /** Resolves on a wake-up, or when the time has passed. */
  sleep(milliseconds: number): Promise<void>;
  wake(): void;
}

export function createSleeper(): Sleeper {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      if (end === undefined) isWoken = true;
      else end();
    },
    sleep(milliseconds) {
      if (isWoken) {
        isWoken = false;
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
  };
}
