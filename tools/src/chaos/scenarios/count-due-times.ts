/** Outcome of one due time of one flow. */
export interface DueTime {
  /** Outcomes that the service lists. */
  readonly outcomes: readonly string[];
  /** How often an agent reported that it was started for this due time. */
  readonly runs: number;
}

/**
 * Counts violations of the guarantees for due times: each is decided once, and starts at most one run, and only if its
 * outcome is `started`.
 */
export function countDueTimes(dueTimes: readonly DueTime[]): Record<string, number> {
  const count = (isBroken: (dueTime: DueTime) => boolean): number => dueTimes.filter(isBroken).length;
  return {
    'due times missed': count(({ outcomes }) => outcomes.length === 0 || outcomes.includes('missed')),
    'due times decided twice': count(({ outcomes }) => outcomes.length > 1),
    'due times run twice': count(({ runs }) => runs > 1),
    'runs of due times that were skipped': count(({ outcomes, runs }) => runs > 0 && !outcomes.includes('started')),
  };
}
