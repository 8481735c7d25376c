import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** Ratio of the elapsed-time limit to the CPU time limit, for a machine with other load. */
const SLOWEST = 10;
/** Minimum interval between two checks in milliseconds. */
const LEAST_LOOK_MS = 5;

/**
 * Limits the CPU time of a thread from now on; on a busy machine the elapsed time may be up to ten times as long.
 *
 * @param timeoutMs - limit of CPU time in milliseconds
 * @param isNew - true if the thread has not used any CPU time yet
 * @returns a function that stops the monitoring
 */
export function limitSpentTime(thread: Worker, timeoutMs: number, isNew: boolean, giveUp: () => void): () => void {
  const latest = performance.now() + SLOWEST * timeoutMs;
  const spentBefore = isNew ? 0 : readSpentMs(thread);
  let timer: NodeJS.Timeout;
  let isOver = false;
  const lookIn = (ms: number): void => {
    timer = setTimeout(() => void look(), ms).unref();
  };
  const look = async (): Promise<void> => {
    const leftMs = latest - performance.now();
    if (leftMs <= 0) return giveUp();
    // The CPU time can be read even while the thread is busy, except during some internal calls of the JavaScript
    // engine.
    const waiting = new AbortController();
    const late = wait(leftMs, Infinity, { ref: false, signal: waiting.signal }).catch(() => Infinity);
    const spentMs = await Promise.race([readSince(spentBefore), late]);
    waiting.abort();
    if (isOver) return;
    if (spentMs >= timeoutMs) giveUp();
    else lookIn(Math.max(LEAST_LOOK_MS, Math.min(timeoutMs - spentMs, leftMs)));
  };
  const readSince = async (before: number | Promise<number>): Promise<number> =>
    (await readSpentMs(thread)) - (await before);
  lookIn(timeoutMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Returns the CPU time of the thread since its start; 0 if it is not running. */
function readSpentMs(thread: Worker): Promise<number> {
  return thread.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => 0,
  );
}
