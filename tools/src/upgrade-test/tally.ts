/** Result of the requests of one phase. */
export interface PhaseTally {
  readonly phase: string;
  readonly requests: number;
  /** Number of requests that the client repeated because of a documented refusal. */
  readonly repeated: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Tally {
  /** Begins a phase: from now on, requests that end belong to it. */
  begin(phase: string): void;
  count(durationMs: number, repeats: number): void;
  /** Called for a request that did not get the required response. */
  fail(operation: string, reason: string): void;
  /** Called for a search that did not find what the API had stored, or that found other content. */
  countWrongSearch(detail: string): void;
  /** Called for a request that was skipped because the maximum number of requests was in progress. */
  countSkipped(): void;
  readonly failures: readonly string[];
  readonly wrongSearches: readonly string[];
  readSkipped(): number;
  summarize(): PhaseTally[];
}

export function createTally(): Tally {
  const phases = new Map<string, { durations: number[]; repeated: number }>();
  const failures: string[] = [];
  const wrongSearches: string[] = [];
  let current = '';
  let skipped = 0;
  return {
    failures,
    wrongSearches,
    begin(phase) {
      current = phase;
      phases.set(phase, { durations: [], repeated: 0 });
    },
    count(durationMs, repeats) {
      const phase = phases.get(current);
      if (phase === undefined) return;
      phase.durations.push(durationMs);
      phase.repeated += repeats;
    },
    fail: (operation, reason) => void failures.push(`${current}: ${operation}: ${reason}`),
    countWrongSearch: (detail) => void wrongSearches.push(`${current}: ${detail}`),
    countSkipped: () => void (skipped += 1),
    readSkipped: () => skipped,
    summarize: () =>
      [...phases].map(([phase, { durations, repeated }]) => {
        const sorted = durations.toSorted((one, other) => one - other);
        return {
          phase,
          requests: sorted.length,
          repeated,
          p50Ms: readQuantile(sorted, 0.5),
          p99Ms: readQuantile(sorted, 0.99),
        };
      }),
  };
}

function readQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
