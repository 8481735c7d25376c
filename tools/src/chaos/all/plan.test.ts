import { planSeconds, seedPair } from './plan.ts';

describe('the plan of all chaos scenarios', () => {
  it('gives each fault what the minutes leave for it', () => {
    expect(planSeconds(20, 48)).toBeCloseTo(10);
    expect(planSeconds(20, 6)).toBeCloseTo(150);
  });

  it('gives each fault a few seconds, however short the run', () => {
    expect(planSeconds(1, 48)).toBe(4);
  });

  it('draws the same faults for a pair, whatever else is tried, and others for another pair or seed', () => {
    expect(seedPair(7, 'models', 'kill')).toBe(seedPair(7, 'models', 'kill'));
    const seeds = [
      seedPair(7, 'models', 'kill'),
      seedPair(8, 'models', 'kill'),
      seedPair(7, 'search', 'kill'),
      seedPair(7, 'models', 'freeze'),
    ];
    expect(new Set(seeds).size).toBe(4);
  });
});
