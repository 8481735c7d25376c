import { countHeldCalls, type HeldCall } from './count-held-calls.ts';

const CALLS: readonly HeldCall[] = [
  { job: 'a', isDeclined: false, outcome: 'done' },
  { job: 'b', isDeclined: true, outcome: 'refused' },
  { job: 'c', isDeclined: false, outcome: 'unknown' },
  { job: 'd', isDeclined: false, outcome: 'unknown' },
];
const DONE: Readonly<Record<string, number>> = { a: 1, b: 0, c: 1, d: 0 };

describe('the books of held tool calls', () => {
  it('are in order if each approved call ran at most once and each agent knows its outcome', () => {
    expect(Object.values(countHeldCalls(CALLS, (job) => DONE[job] ?? 0))).toEqual([0, 0, 0, 0, 0]);
  });

  it.each<[string, HeldCall, number]>([
    ['tools run twice', { job: 'e', isDeclined: false, outcome: 'done' }, 2],
    ['tools run in spite of a decline', { job: 'e', isDeclined: true, outcome: 'refused' }, 1],
    ['results without a run', { job: 'e', isDeclined: false, outcome: 'done' }, 0],
    ['approved calls that were refused', { job: 'e', isDeclined: false, outcome: 'refused' }, 0],
    ['calls without an outcome', { job: 'e', isDeclined: false, outcome: undefined }, 1],
  ])('count %s (%j, done %d times)', (name, call, done) => {
    const broken = countHeldCalls([...CALLS, call], (job) => (job === 'e' ? done : (DONE[job] ?? 0)));
    expect(broken[name]).toBe(1);
    expect(Object.values(broken).filter((one) => one > 0)).toHaveLength(1);
  });
});
