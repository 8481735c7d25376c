import { visitRuns } from '../words/visit-runs.ts';

/** Returns the runs of a text, with the words at each position. */
export function listRuns(text: string): string[][][] {
  const runs: string[][][] = [];
  visitRuns(text, {
    beginRun: () => void runs.push([]),
    beginPlace: () => void runs.at(-1)?.push([]),
    addWord: (word) => void runs.at(-1)?.at(-1)?.push(word),
  });
  return runs;
}
