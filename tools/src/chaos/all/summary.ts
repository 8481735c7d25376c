import type { Counts } from '../scenarios/scenario.ts';

/** Result of one scenario with one fault. */
export interface PairResult extends Counts {
  readonly scenario: string;
  readonly fault: string;
  /** How often the fault was injected. */
  readonly faults: number;
  /** Reason why the pair could not be completed. */
  readonly error?: string | undefined;
}

/** Adds the counts that were made at the end of the whole run. */
export function addLate(result: PairResult, late: Counts): PairResult {
  return {
    ...result,
    done: Math.max(result.done, late.done),
    broken: { ...result.broken, ...late.broken },
    noted: { ...result.noted, ...late.noted },
  };
}

export function isBroken({ done, faults, broken, error }: PairResult): boolean {
  return done === 0 || faults === 0 || error !== undefined || countBroken(broken) > 0;
}

function countBroken(broken: Counts['broken']): number {
  return Object.values(broken).reduce((sum, count) => sum + count, 0);
}

/** Renders a line for each pair and, below it, its violations. */
export function renderSummary(results: readonly PairResult[]): string[] {
  const head = renderLine(['scenario', 'fault', 'faults', 'tried', 'broken'], 'allowed');
  return [head, '', ...results.flatMap(renderPair)];
}

function renderPair(result: PairResult): string[] {
  const { scenario, fault, faults, done, broken, noted = {}, error } = result;
  const allowed = Object.entries(noted).map(([name, count]) => `${count} ${name}`);
  const line = renderLine(
    [scenario, fault, String(faults), String(done), String(countBroken(broken))],
    allowed.join(', '),
  );
  const problems = [
    ...Object.entries(broken).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`])),
    ...(error === undefined ? [] : [error]),
    ...(done === 0 ? ['nothing was tried'] : []),
    ...(faults === 0 ? ['no fault was injected'] : []),
  ];
  return [line, ...problems.map((problem) => `    BROKEN: ${problem}`)];
}

const WIDTHS = [30, 31, 7, 7, 7];

function renderLine(cells: readonly string[], rest: string): string {
  const aligned = cells.map((cell, index) => {
    const width = WIDTHS[index] ?? 0;
    return index < 2 ? cell.padEnd(width) : cell.padStart(width);
  });
  return `${aligned.join(' ')}  ${rest}`.trimEnd();
}
