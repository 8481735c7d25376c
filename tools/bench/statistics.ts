/** Returns the value below which this share (0..1) of the values lies, by nearest rank; NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns milliseconds since 1970 with fractions, the same in every process of this machine. */
export function readClockMs(): number {
  return performance.timeOrigin + performance.now();
}

export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function summarize(valuesMs: readonly number[]): Latencies {
  return {
    count: valuesMs.length,
    p50Ms: percentile(valuesMs, 0.5),
    p99Ms: percentile(valuesMs, 0.99),
    maxMs: percentile(valuesMs, 1),
  };
}
