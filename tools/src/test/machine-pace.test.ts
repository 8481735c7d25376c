import { describePace } from './machine-pace.ts';

describe('the pace of the machine', () => {
  it.each([
    ['1.0', 'usual', [45, 40, 52]],
    ['1.0', 'fast', [20, 25]],
    ['2.5', 'slow', [180, 100, 120]],
    ['4.0', 'slower than any', [900, 800]],
  ])('is %s for a %s one, by the fastest of some starts', (pace, _kind, startsMs) => {
    expect(describePace(startsMs)).toBe(pace);
  });
});
