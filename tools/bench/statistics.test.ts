import { median, percentile } from './statistics.ts';

describe('statistics of a bench', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
  ])('takes the median of %j', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('takes percentiles by nearest rank, so that each of them is a measured value', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)]).toEqual([100, 198, 200]);
    expect(percentile([], 0.5)).toBeNaN();
  });
});
