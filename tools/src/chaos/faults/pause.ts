import { setTimeout as delay } from 'node:timers/promises';

/** Waits for this time, or until the signal is aborted. */
export async function pause(seconds: number, ending?: AbortSignal): Promise<void> {
  await delay(seconds * 1000, undefined, ending && { signal: ending }).catch(() => undefined);
}

/** Maximum duration of a timer of Node. */
const LONGEST_SECONDS = 2_147_483;

/** Waits until the signal is aborted. */
export async function waitFor(ending: AbortSignal): Promise<void> {
  await pause(LONGEST_SECONDS, ending);
}

/**
 * Injects a fault at least once, and then repeatedly until `ending` is aborted, with a pause before each injection.
 * Returns how often it was injected.
 */
export async function repeat(
  ending: AbortSignal,
  drawPause: () => number,
  inject: (turn: number) => Promise<void> | void,
): Promise<number> {
  let turn = 0;
  do {
    await pause(drawPause(), turn === 0 ? undefined : ending);
    if (turn > 0 && ending.aborted) break;
    await inject(turn);
    turn += 1;
  } while (!ending.aborted);
  return turn;
}
