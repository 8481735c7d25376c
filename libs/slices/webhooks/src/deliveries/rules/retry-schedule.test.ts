import fc from 'fast-check';
import { computeRetryDelayMs } from './retry-schedule.ts';

describe('retry schedule', () => {
  it.each([
    [1, 10],
    [2, 60],
    [3, 300],
    [4, 900],
    [5, 2400],
  ])('after attempt %i waits about %i s, 20 %% either way', (attempt, seconds) => {
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

  it('spreads 10,000 retries evenly: mean within 1 %', () => {
    const draws = Array.from({ length: 10_000 }, () => computeRetryDelayMs(1, Math.random()) ?? 0);
    const mean = draws.reduce((sum, delay) => sum + delay, 0) / draws.length;
    expect(Math.abs(mean - 10_000)).toBeLessThan(100);
  });
});
