/** Runs the demo's steps one after the other, and records failures. */
export interface Steps {
  /** Prints the step together with its duration. If a step throws, the demo ends. */
  run<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Checks one expectation of the current step. */
  expect(holds: boolean, what: string): void;
  readonly failures: readonly string[];
}

export function createSteps(print: (line: string) => void): Steps {
  const failures: string[] = [];
  let unmet: string[] = [];
  return {
    failures,
    async run(title, work) {
      const startedAt = performance.now();
      unmet = [];
      try {
        const result = await work();
        const time = `${(performance.now() - startedAt).toFixed(0).padStart(6)} ms`;
        print(`${unmet.length === 0 ? 'ok  ' : 'FAIL'} ${time}  ${title}`);
        for (const problem of unmet) print(`                expected: ${problem}`);
        failures.push(...unmet.map((problem) => `${title}: ${problem}`));
        return result;
      } catch (error) {
        print(`FAIL            ${title}`);
        throw error;
      }
    },
    expect(holds, what) {
      if (!holds) unmet.push(what);
    },
  };
}
