/** Result of the requests of one phase. */
export interface PhaseTally {
  readonly phase: string;
  /** Name of the part of the phase; undefined in the result of the whole phase. */
  readonly step: string | undefined;
  readonly requests: number;
  /** Number of requests that the client repeated because of a documented refusal. */
  readonly repeated: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Tally {
  /** Begins a phase, or its next step: from now on, requests that end belong to it. */
  begin(phase: string, step?: string): void;
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
  /** Returns the phases in their order, each followed by its steps. */
  summarize(): PhaseTally[];
}

export function createTally(): Tally {
  const parts: { phase: string; step: string | undefined; durations: number[]; repeated: number }[] = [];
  const failures: string[] = [];
  const wrongSearches: string[] = [];
  let current = '';
  let counting: typeof parts = [];
  let skipped = 0;
  const open = (phase: string, step?: string) => {
    const opened = parts.find((part) => part.phase === phase && part.step === step);
    if (opened !== undefined) return opened;
    const part = { phase, step, durations: [], repeated: 0 };
    parts.push(part);
    return part;
  };
  return {
    failures,
    wrongSearches,
    begin(phase, step) {
      current = step === undefined ? phase : `${phase}, ${step}`;
      counting = step === undefined ? [open(phase)] : [open(phase), open(phase, step)];
    },
    count(durationMs, repeats) {
      for (const part of counting) {
        part.durations.push(durationMs);
        part.repeated += repeats;
      }
    },
    fail: (operation, reason) => void failures.push(`${current}: ${operation}: ${reason}`),
    countWrongSearch: (detail) => void wrongSearches.push(`${current}: ${detail}`),
    countSkipped: () => void (skipped += 1),
    readSkipped: () => skipped,
    summarize: () =>
      parts.map(({ phase, step, durations, repeated }) => {
        const sorted = durations.toSorted((one, other) => one - other);
        return {
          phase,
          step,
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
