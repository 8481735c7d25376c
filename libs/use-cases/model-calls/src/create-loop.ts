import type { Logger } from '@steward/process';

/** Repeats the work at an interval; a failure is logged and the next run tries again. */
export function createLoop(failed: string, everyMs: number, work: () => Promise<void>, logger: Logger) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= work()
      .catch((error: unknown) => logger.error(failed, { error }))
      .finally(() => (running = undefined));
  };
  return {
    start: (): void => void (timer = setInterval(run, everyMs).unref()),
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
