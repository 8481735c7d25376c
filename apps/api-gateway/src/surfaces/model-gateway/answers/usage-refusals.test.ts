import { createUsageRefusals } from './usage-refusals.ts';

const MODEL = { id: 'm', baseUrl: 'https://one.example/v1', modelIdentifier: 'small' };

describe('a refusal to report the usage of a stream (GW-10)', () => {
  it('is stored for an hour, per model and setting', () => {
    let now = 1;
    const refusals = createUsageRefusals(() => now);
    refusals.add(MODEL);
    expect(refusals.has(MODEL)).toBe(true);
    expect(refusals.has({ ...MODEL, baseUrl: 'https://two.example/v1' })).toBe(false);
    expect(refusals.has({ ...MODEL, modelIdentifier: 'large' })).toBe(false);
    now += 3_600_000;
    expect(refusals.has(MODEL)).toBe(true);
    now += 1;
    expect(refusals.has(MODEL)).toBe(false);
  });

  it('is removed when many newer ones are stored', () => {
    const refusals = createUsageRefusals();
    for (let id = 0; id <= 10_000; id += 1) refusals.add({ ...MODEL, id: String(id) });
    expect([refusals.has({ ...MODEL, id: '0' }), refusals.has({ ...MODEL, id: '1' })]).toEqual([false, true]);
  });
});
