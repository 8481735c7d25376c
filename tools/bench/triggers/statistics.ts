/** The value below which the given share of the sorted numbers lies. */
export function readQuantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function summarize(valuesMs: readonly number[]): Latencies {
  const sorted = Float64Array.from(valuesMs).sort();
  return {
    count: sorted.length,
    p50Ms: readQuantile(sorted, 0.5),
    p99Ms: readQuantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? Number.NaN,
  };
}

export function findMedian(values: readonly number[]): number {
  return readQuantile(Float64Array.from(values).sort(), 0.5);
}
