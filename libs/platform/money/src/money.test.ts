import fc from 'fast-check';
import { costOfTokens, fromMicroUsd, fromPico, percentOf, roundToMicroUsd, toMicroUsd, toPico } from './money.ts';

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

  it('has the cost of tokens without a loss', () => {
    expect(costOfTokens(3, 0.1)).toBe(300_000n);
    expect(costOfTokens(1_000_000_000, 1000)).toBe(toPico('1000000'));
  });

  it('is decimal text without a loss, however large', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (pico) => {
        expect(fromPico(pico)).toMatch(/^-?\d+(\.\d{0,11}[1-9])?$/);
        expect(toPico(fromPico(pico))).toBe(pico);
      }),
    );
  });

  it('is never more of a limit than it is', () => {
    expect([percentOf(1n, 3n), percentOf(99_999n, 100_000n), percentOf(5n, 4n)]).toEqual([33.33, 99.99, 125]);
  });
});
