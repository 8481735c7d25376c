import fc from 'fast-check';
import { fromMicroUsd, fromPicoUsd, roundToMicroUsd, toMicroUsd } from './decimal.ts';

describe('dollars in whole numbers', () => {
  it.each([
    ['0', 0],
    ['2.5', 2_500_000],
    ['0.000001', 1],
    ['1000000', 1_000_000_000_000],
  ])('takes %s for %i micro-dollars and gives it back', (usd, micro) => {
    expect(toMicroUsd(usd)).toBe(micro);
    expect(fromMicroUsd(micro)).toBe(usd);
  });

  it('rounds what a float made of a price', () => {
    expect([0.18000000000000002, 0.1 + 0.2, 0.00875, 36e-4].map(roundToMicroUsd)).toEqual([
      180_000, 300_000, 8750, 3600,
    ]);
  });

  it('is decimal text without a loss, however large', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (pico) => {
        const [whole = '', fraction = ''] = fromPicoUsd(pico).split('.');
        expect(BigInt(whole + fraction.padEnd(12, '0'))).toBe(pico);
      }),
    );
  });
});
