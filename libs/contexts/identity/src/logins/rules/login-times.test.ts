import fc from 'fast-check';
import { hashAddress } from './hash-address.ts';
import { addDays, earlier } from './login-times.ts';

const date = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

describe('the times of a login (ACC-9)', () => {
  it('are calculated with days of 24 hours, even across clock changes', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: 0, max: 3650 }), (from, days) => {
        expect(addDays(from, days).getTime() - from.getTime()).toBe(days * 24 * 3600 * 1000);
      }),
    );
    expect(addDays(new Date('2026-03-28T12:00:00Z'), 2).toISOString()).toBe('2026-03-30T12:00:00.000Z');
  });

  it('are the earlier of two limits', () => {
    fc.assert(
      fc.property(date, date, (left, right) => {
        const first = earlier(left, right);
        expect([left, right]).toContain(first);
        expect(first.getTime()).toBe(Math.min(left.getTime(), right.getTime()));
      }),
    );
  });
});

describe('the hash of a client address', () => {
  it('is equal only for the same user at the same address', () => {
    const id = fc.uuid();
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(id, id, address, address, (one, other, here, there) => {
        const hash = hashAddress(one, here);
        expect(hash).toHaveLength(32);
        expect(hash.equals(hashAddress(one, here))).toBe(true);
        expect(hash.equals(hashAddress(other, here))).toBe(one === other);
        expect(hash.equals(hashAddress(one, there))).toBe(here === there);
      }),
    );
  });
});
