import fc from 'fast-check';
import { buildAddressKey, createTokenBuckets } from '@steward/api';
import { createTriggerBudget } from '@steward/flows-api';

describe('a token bucket', () => {
  const build = (perMinute: number, maxKeys = 10) => {
    const clock = { nowMs: 0 };
    return { clock, buckets: createTokenBuckets({ perMinute, maxKeys, nowMs: () => clock.nowMs }) };
  };
  const drain = (buckets: ReturnType<typeof createTokenBuckets>, key: string): number => {
    let taken = 0;
    while (buckets.secondsUntilToken(key) === 0) {
      buckets.take(key);
      taken += 1;
    }
    return taken;
  };

  it('allows a minute’s budget at once, then reports when the next token is available', () => {
    const { buckets, clock } = build(120);
    expect(drain(buckets, 'a')).toBe(120);
    expect(buckets.secondsUntilToken('a')).toBe(1);
    clock.nowMs = 500;
    expect(drain(buckets, 'a')).toBe(1);
    expect(drain(buckets, 'b')).toBe(120);
  });

  it('reports the full waiting time if it refills slowly', () => {
    const { buckets } = build(2);
    drain(buckets, 'a');
    expect(buckets.secondsUntilToken('a')).toBe(30);
  });

  it('never allows more than one full bucket plus the refill, whatever the arrival times (LIM-36)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(5000), { maxLength: 300 }), (perMinute, gaps) => {
        const { buckets, clock } = build(perMinute);
        let taken = 0;
        for (const gap of gaps) {
          clock.nowMs += gap;
          if (buckets.secondsUntilToken('a') > 0) continue;
          buckets.take('a');
          taken += 1;
        }
        return taken <= perMinute + (clock.nowMs * perMinute) / 60_000 + 1e-6;
      }),
    );
  });

  it('stores a bounded number of keys and discards the least recently used', () => {
    const { buckets } = build(1, 3);
    for (const key of ['a', 'b', 'c']) buckets.take(key);
    expect(buckets.secondsUntilToken('a')).toBe(60);
    buckets.take('d');
    expect(buckets.secondsUntilToken('a')).toBe(60);
    expect(buckets.secondsUntilToken('b')).toBe(0);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('%s is limited as %s (LIM-36)', (address, key) => {
  expect(buildAddressKey(address)).toBe(key);
});

describe('the trigger budget', () => {
  it('counts flows separately, and allows one address five times the budget of one flow across all flows', () => {
    const budget = createTriggerBudget({ perMinute: 2 }, () => 0);
    for (const flow of ['a', 'b', 'c', 'd', 'e']) {
      budget.spendTrigger(flow, '192.0.2.1');
      budget.spendTrigger(flow, '192.0.2.1');
    }
    expect(() => budget.spendTrigger('f', '192.0.2.1')).toThrow(/Try again in 6 s/);
    expect(() => budget.spendTrigger('a', '192.0.2.2')).toThrow(/Try again in 30 s/);
    // A request refused because of its address does not count against the budget of the flow.
    budget.spendTrigger('f', '192.0.2.2');
    budget.spendTrigger('f', '192.0.2.3');
  });

  it('counts wrong secrets separately from triggers', () => {
    const budget = createTriggerBudget({ perMinute: 1 }, () => 0);
    budget.spendFailure('192.0.2.1');
    expect(() => budget.spendFailure('192.0.2.1')).toThrow(/wrong secret/);
    budget.spendTrigger('a', '192.0.2.1');
  });
});
