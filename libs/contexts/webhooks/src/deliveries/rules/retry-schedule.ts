import { DELIVERY_CONTRACT } from '@steward/contracts';

const { jitterMin, jitterMax, retryDelaysSeconds } = DELIVERY_CONTRACT;

/**
 * Returns the milliseconds to wait after attempt `attemptNumber` (1-based) failed; undefined after the last one
 * (HOOK-20). `random` is uniform in [0, 1); without this jitter, all retries after an outage would arrive together.
 */
export function computeRetryDelayMs(
  attemptNumber: number,
  random: number,
  delaysSeconds: readonly number[] = retryDelaysSeconds,
): number | undefined {
  const delaySeconds = delaysSeconds[attemptNumber - 1];
  if (delaySeconds === undefined) return undefined;
  return Math.round(delaySeconds * 1000 * (jitterMin + (jitterMax - jitterMin) * random));
}
