import { createTally } from './tally.ts';

describe('the tally of an upgrade', () => {
  it('contains durations by phase and step, and failures with them', () => {
    const tally = createTally();
    tally.begin('before');
    for (let ms = 1; ms <= 100; ms += 1) tally.count(ms, 0);
    tally.begin('during', 'a worker');
    tally.count(7, 2);
    tally.begin('during', 'a gateway');
    tally.count(9, 0);
    tally.fail('search', 'status 500');
    tally.countWrongSearch('w1');
    tally.countSkipped();
    expect(tally.summarize()).toEqual([
      { phase: 'before', requests: 100, repeated: 0, p50Ms: 51, p99Ms: 100 },
      { phase: 'during', requests: 2, repeated: 2, p50Ms: 9, p99Ms: 9 },
      { phase: 'during', step: 'a worker', requests: 1, repeated: 2, p50Ms: 7, p99Ms: 7 },
      { phase: 'during', step: 'a gateway', requests: 1, repeated: 0, p50Ms: 9, p99Ms: 9 },
    ]);
    expect(tally.failures).toEqual(['during, a gateway: search: status 500']);
    expect(tally.wrongSearches).toEqual(['during, a gateway: w1']);
    expect(tally.readSkipped()).toBe(1);
  });

  it('contains no durations for a phase without requests', () => {
    const tally = createTally();
    tally.begin('before');
    expect(tally.summarize()).toMatchObject([{ requests: 0, p99Ms: 0 }]);
  });
});
