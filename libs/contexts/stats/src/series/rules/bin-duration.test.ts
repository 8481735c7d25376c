import { durationOfBin } from './bin-duration.ts';

/** Returns the bin of a duration, as `stats.bin` of the database does. */
const binOf = (milliseconds: number) => (milliseconds < 1 ? 1 : 2 + Math.floor(Math.log(milliseconds) / Math.log(1.2)));

describe('the duration of a histogram bin', () => {
  it('differs by at most 10 percent from each duration in it (STATS-6)', () => {
    for (let milliseconds = 1; milliseconds < 1e9; milliseconds *= 1.01) {
      const shown = durationOfBin(binOf(milliseconds));
      expect(Math.abs(shown / milliseconds - 1)).toBeLessThan(0.1);
    }
  });

  it('is a millisecond for even shorter durations', () => {
    expect(durationOfBin(binOf(0.2))).toBe(1);
  });
});
