import fc from 'fast-check';
import { costOfTokens, fromMicroUsd, fromPico, percentOf, roundToMicroUsd, toMicroUsd, toPico } from './money.ts';

describe('dollar amounts as integers', () => {
  it.each([
    ['0', 0],
    ['2.5', 2_500_000],
    ['0.000001', 1],
    ['1000000', 1_000_000_000_000],
  ])('convert %s to %i micro-dollars and back', (usd, micro) => {
    expect(toMicroUsd(usd)).toBe(micro);
    expect(fromMicroUsd(micro)).toBe(usd);
  });

  it('round prices given as floats', () => {
    expect([0.18000000000000002, 0.1 + 0.2, 0.00875, 36e-4].map(roundToMicroUsd)).toEqual([
      180_000, 300_000, 8750, 3600,
    ]);
  });

  it('represent the cost of tokens exactly', () => {
    expect(costOfTokens(3, 0.1)).toBe(300_000n);
    expect(costOfTokens(1_000_000_000, 1000)).toBe(toPico('1000000'));
  });

  it('are converted to decimal strings without loss, for any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (pico) => {
        expect(fromPico(pico)).toMatch(/^-?\d+(\.\d{0,11}[1-9])?$/);
        expect(toPico(fromPico(pico))).toBe(pico);
      }),
    );
  });

  it('never exceed a limit due to rounding', () => {
    expect([percentOf(1n, 3n), percentOf(99_999n, 100_000n), percentOf(5n, 4n)]).toEqual([33.33, 99.99, 125]);
  });
});
