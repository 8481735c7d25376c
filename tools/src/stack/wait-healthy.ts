import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls a health URL until it responds with 200.
 * @throws with the last reason after the deadline, or if further waiting is pointless
 */
export async function waitHealthy(
  url: string,
  options: { readonly deadlineMs: number; readonly signal: AbortSignal; readonly isHopeless: () => boolean },
): Promise<void> {
  const deadline = Date.now() + options.deadlineMs;
  let reason = 'no response yet';
  while (Date.now() < deadline) {
    options.signal.throwIfAborted();
    if (options.isHopeless()) throw new Error('it exits repeatedly');
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      if (response.status === 200) return;
      reason = `status ${response.status}: ${(await response.text()).slice(0, 200)}`;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    await delay(50, undefined, { signal: options.signal });
  }
  throw new Error(`${url} did not become healthy within ${options.deadlineMs / 1000} s (${reason})`);
}
