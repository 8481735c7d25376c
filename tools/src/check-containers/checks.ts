export interface CheckResult {
  readonly area: string;
  readonly title: string;
  readonly holds: boolean;
  readonly seconds: number;
  /** Figure, or reason for the failure. */
  readonly note: string;
}

export interface Checks {
  readonly results: readonly CheckResult[];
  /**
   * Runs one check; a failure is recorded, and does not prevent the next check. The value returned by the check is a
   * figure for the table.
   */
  check(area: string, title: string, work: () => Promise<string | void>): Promise<void>;
}

export function createChecks(print: (line: string) => void): Checks {
  const results: CheckResult[] = [];
  return {
    results,
    async check(area, title, work) {
      const startedAt = performance.now();
      const [holds, note] = await attempt(work);
      const result = { area, title, holds, note, seconds: (performance.now() - startedAt) / 1000 };
      results.push(result);
      print(renderResult(result));
    },
  };
}

async function attempt(work: () => Promise<string | void>): Promise<[boolean, string]> {
  try {
    return [true, (await work()) ?? ''];
  } catch (error) {
    return [false, error instanceof Error ? error.message : String(error)];
  }
}

function renderResult({ area, title, holds, seconds, note }: CheckResult): string {
  const line = `${holds ? 'ok    ' : 'FAILED'} ${area.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${title}`;
  if (note === '') return line;
  return holds ? `${line} (${note})` : `${line}\n${note.replaceAll(/^/gm, '           ')}`;
}

/** Renders the last lines of the output: the number of successes per area, and the failures. */
export function renderSummary(results: readonly CheckResult[]): string {
  const areas = [...new Set(results.map(({ area }) => area))];
  const lines = areas.map((area) => {
    const own = results.filter((result) => result.area === area);
    return `${area.padEnd(8)} ${own.filter(({ holds }) => holds).length}/${own.length}`;
  });
  const failed = results.filter(({ holds }) => !holds).map(({ area, title }) => `FAILED   ${area}: ${title}`);
  return [...lines, ...failed].join('\n');
}
