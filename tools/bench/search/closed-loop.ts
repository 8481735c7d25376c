import { percentile } from '../statistics.ts';

export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * Keeps `concurrency` calls in progress for this many seconds; returns their times in milliseconds. A short warm-up is
 * not included.
 */
export async function measureClosedLoop(
  concurrency: number,
  seconds: number,
  call: (worker: number) => Promise<void>,
): Promise<Measured> {
  const times: number[] = [];
  const warmUntil = performance.now() + Math.min(500, seconds * 250);
  const end = warmUntil + seconds * 1000;
  await Promise.all(
    Array.from({ length: concurrency }, async (_value, worker) => {
      while (performance.now() < end) {
        const startedAt = performance.now();
        await call(worker);
        if (startedAt >= warmUntil) times.push(performance.now() - startedAt);
      }
    }),
  );
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
  };
}
