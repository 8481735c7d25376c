import { countRuns, type EndedRun } from './count-runs.ts';

const RUNS: readonly EndedRun[] = [
  { id: 'a', status: 'SUCCEEDED', reported: 1 },
  { id: 'b', status: 'FAILED', reported: 0 },
  { id: 'c', status: 'FAILED', reported: 1 },
  { id: 'd', status: 'STOPPED', reported: 0 },
];

describe('the books of executions', () => {
  it('are in order if each has ended and its agent ran at most once', () => {
    expect(Object.values(countRuns(RUNS))).toEqual([0, 0, 0, 0]);
  });

  it.each([
    ['executions that do not end', { id: 'e', status: 'RUNNING', reported: 1 }],
    ['executions that do not end', { id: 'e', status: 'PENDING', reported: 0 }],
    ['agents run twice', { id: 'e', status: 'FAILED', reported: 2 }],
    ['succeeded without a run', { id: 'e', status: 'SUCCEEDED', reported: 0 }],
    ['triggers that share an execution', { id: 'a', status: 'SUCCEEDED', reported: 1 }],
  ])('count %s (%j)', (name, run) => {
    const broken = countRuns([...RUNS, run]);
    expect(broken[name]).toBe(1);
    expect(Object.values(broken).filter((one) => one > 0)).toHaveLength(1);
  });
});
