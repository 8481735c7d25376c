/** An execution at the end of a run. */
export interface EndedRun {
  readonly id: string;
  readonly status: string;
  /** How often its agent reported. */
  readonly reported: number;
}

/**
 * Counts violations of the guarantees for executions: each trigger creates its own execution, which ends and whose
 * agent runs at most once.
 */
export function countRuns(runs: readonly EndedRun[]): Record<string, number> {
  const count = (isBroken: (run: EndedRun) => boolean): number => runs.filter(isBroken).length;
  return {
    'executions that do not end': count(({ status }) => !['SUCCEEDED', 'FAILED', 'STOPPED'].includes(status)),
    'agents run twice': count(({ reported }) => reported > 1),
    'succeeded without a run': count(({ status, reported }) => status === 'SUCCEEDED' && reported === 0),
    'triggers that share an execution': runs.length - new Set(runs.map(({ id }) => id)).size,
  };
}
