import { countDueTimes, type DueTime } from './count-due-times.ts';

const FAIR: readonly DueTime[] = [
  { outcomes: ['started'], runs: 1 },
  { outcomes: ['started'], runs: 0 },
  { outcomes: ['skipped'], runs: 0 },
];

describe('the books of due times', () => {
  it('are in order if each due time is decided once and runs at most once', () => {
    expect(Object.values(countDueTimes(FAIR))).toEqual([0, 0, 0, 0]);
  });

  it.each<[string, DueTime]>([
    ['due times missed', { outcomes: [], runs: 0 }],
    ['due times missed', { outcomes: ['missed'], runs: 0 }],
    ['due times decided twice', { outcomes: ['started', 'skipped'], runs: 1 }],
    ['due times run twice', { outcomes: ['started'], runs: 2 }],
    ['runs of due times that were skipped', { outcomes: ['skipped'], runs: 1 }],
  ])('count %s (%j)', (name, dueTime) => {
    const broken = countDueTimes([...FAIR, dueTime]);
    expect(broken[name]).toBe(1);
    expect(Object.values(broken).filter((one) => one > 0)).toHaveLength(1);
  });
});
