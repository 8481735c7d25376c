export type Stop = () => Promise<unknown> | void;

/**
 * Runs `work`, and then the functions that it has added to `stops`, the last one first: when it ends, after an error,
 * on Ctrl-C, and after an uncaught error. Servers that it has started are separate processes, and would otherwise
 * outlive this one.
 */
export async function runWithCleanup(work: (stops: Stop[]) => Promise<void>): Promise<void> {
  const stops: Stop[] = [];
  async function stopAll(): Promise<void> {
    for (const stop of stops.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        console.error(`could not stop cleanly: ${String(error)}`);
      }
    }
  }
  const endWith = (exitCode: number): void => void stopAll().finally(() => process.exit(exitCode));
  process.once('SIGINT', () => endWith(130));
  process.once('SIGTERM', () => endWith(143));
  process.on('uncaughtException', (error) => {
    console.error(error);
    endWith(1);
  });
  try {
    await work(stops);
  } finally {
    await stopAll();
  }
}
