import { formatMeasure, formatTick } from './format-measure.ts';

describe('a measurement', () => {
  it.each([
    ['count', 1234, '1,234'],
    ['cost_usd', 0.25, '$0.25'],
    ['p95_ms', 250, '250 ms'],
    ['p95_ms', 1500, '1.5 s'],
    ['mean_ms', 120_000, '2 min'],
    ['p50_ms', 7_200_000, '2 h'],
    ['p50_ms', null, '–'],
    ['size', undefined, '–'],
  ] as const)('%s of %s is shown as %s', (measure, value, shown) => {
    expect(formatMeasure(measure, value)).toBe(shown);
  });

  it('is abbreviated on an axis', () => {
    expect([formatTick('count', 12_000), formatTick('cost_usd', 1500), formatTick('p95_ms', 90_000)]).toEqual([
      '12K',
      '$1.5K',
      '1.5 min',
    ]);
  });
});
