import fc from 'fast-check';
import { computeRetryDelayMs } from './retry-schedule.ts';

describe('retry schedule', () => {
  it.each([
    [1, 10],
    [2, 60],
    [3, 300],
    [4, 900],
    [5, 2400],
  ])('after attempt %i waits about %i s, plus or minus 20 %%', (attempt, seconds) => {
    expect(computeRetryDelayMs(attempt, 0)).toBe(seconds * 800);
    expect(computeRetryDelayMs(attempt, 0.5)).toBe(seconds * 1000);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const delay = computeRetryDelayMs(attempt, random) ?? 0;
        expect(delay).toBeGreaterThanOrEqual(seconds * 800);
        expect(delay).toBeLessThanOrEqual(seconds * 1200);
      }),
    );
  });

  it('ends after the sixth attempt', () => {
    expect(computeRetryDelayMs(6, 0.5)).toBeUndefined();
    expect(computeRetryDelayMs(7, 0.5)).toBeUndefined();
  });

  it('distributes retries evenly: each tenth of the window contains about the same number', () => {
    const draws = Array.from({ length: 1000 }, (_, index) => computeRetryDelayMs(1, (index + 0.5) / 1000) ?? 0);
    const tenths = Map.groupBy(draws, (delay) => Math.floor((delay - 8000) / 400));
    const counts = [...tenths.entries()].map(([tenth, delays]) => [tenth, delays.length]);
    expect(counts).toEqual(Array.from({ length: 10 }, (_, tenth) => [tenth, 100]));
  });
});
