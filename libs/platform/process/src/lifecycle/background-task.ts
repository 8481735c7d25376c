import type { Component } from './lifecycle.ts';
import type { Logger } from '../logging/logger.ts';

/** Factors for the pauses of background tasks, by name of the task; tests that wait for a task set its factor. */
export const BACKGROUND_PAUSES = new Map<string, number>();

/** Repeats a task with a pause between runs; a failure is logged and the next run tries again. */
export function createBackgroundTask(options: {
  readonly name: string;
  readonly everySeconds: number;
  /** True if a pause precedes the first run, too. */
  readonly startsLate?: boolean;
  readonly logger: Logger;
  readonly run: (signal: AbortSignal) => Promise<void>;
}): Component {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  const beginLater = (): void => {
    const share = BACKGROUND_PAUSES.get(options.name) ?? 1;
    timer = setTimeout(begin, options.everySeconds * 1000 * share);
  };

  async function runOnce(): Promise<void> {
    try {
      await options.run(stopped.signal);
    } catch (error) {
      options.logger.warn('background_task.failed', { task: options.name, error });
    }
    if (!stopped.signal.aborted) beginLater();
  }
  function begin(): void {
    current = runOnce();
  }

  return {
    name: options.name,
    start() {
      if (options.startsLate === true) beginLater();
      else begin();
    },
    async stop() {
      stopped.abort();
      clearTimeout(timer);
      await current;
    },
  };
}
