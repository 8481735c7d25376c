import fc from 'fast-check';
import { costOf, estimateTokens, worstCost, type ModelPrice, type Rates } from '../../index.ts';

const RATES: Rates = {
  input: { base: 2_500_000, tiers: [{ above: 200_000, rate: 5_000_000 }] },
  cachedInput: { base: 250_000 },
  cacheWrite: { base: 3_125_000 },
  longCacheWrite: { base: 5_000_000 },
  output: { base: 15_000_000 },
};
const PRICE: ModelPrice = { source: 'catalogue', rates: RATES };
const UNKNOWN: ModelPrice = { source: 'unknown', rates: null };

describe('the cost of a call (MOD-13)', () => {
  it.each([
    ['zero without tokens', { inputTokens: 0, outputTokens: 0 }, '0'],
    ['the sum of all tokens at their prices', { inputTokens: 1000, outputTokens: 100 }, '0.004'],
    ['exact for a single token', { inputTokens: 1, outputTokens: 0 }, '0.0000025'],
    ['lower for cached tokens', { inputTokens: 1000, cachedInputTokens: 900, outputTokens: 0 }, '0.000475'],
    [
      'calculated separately for tokens written to a cache',
      { inputTokens: 1000, cacheWriteTokens: 1000, outputTokens: 0 },
      '0.003125',
    ],
    [
      'calculated separately for tokens stored for an hour',
      { inputTokens: 1000, cacheWriteTokens: 1000, longCacheWriteTokens: 400, outputTokens: 0 },
      '0.003875',
    ],
    ['higher for all tokens of a long prompt', { inputTokens: 200_001, outputTokens: 0 }, '1.000005'],
    ['lower for a prompt of exactly the limit', { inputTokens: 200_000, outputTokens: 0 }, '0.5'],
  ])('is %s', (_what, counts, cost) => {
    expect(costOf(PRICE, counts)).toBe(cost);
  });

  it.each([
    ['more cached tokens than input tokens', { inputTokens: 100, cachedInputTokens: 900, outputTokens: 0 }, '0.000025'],
    ['a negative number', { inputTokens: -5, outputTokens: 100 }, '0.0015'],
    ['a value that is not a number', { inputTokens: Number.NaN, outputTokens: 100 }, '0.0015'],
    ['a fraction of a token', { inputTokens: 1.9, outputTokens: 0 }, '0.0000025'],
  ])('is computed even if a provider reports %s', (_what, counts, cost) => {
    expect(costOf(PRICE, counts)).toBe(cost);
  });

  it('is unknown if the price is unknown', () => {
    expect(costOf(UNKNOWN, { inputTokens: 10, outputTokens: 1 })).toBeNull();
    expect(
      worstCost(
        { inputBytes: 10, maxOutputTokens: 1, defaultOutputTokens: 1 },
        { maxOutputTokens: null, price: UNKNOWN },
      ),
    ).toBeNull();
  });

  it('never exceeds the estimated maximum cost of the call', () => {
    const count = fc.integer({ min: 0, max: 400_000 });
    fc.assert(
      fc.property(count, count, count, count, (inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens) => {
        const cost = costOf(PRICE, { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens });
        const worst = worstCost(
          { inputBytes: Math.ceil(inputTokens * 3.5), maxOutputTokens: outputTokens, defaultOutputTokens: 0 },
          // Prices in which cache writes are the most expensive input.
          { maxOutputTokens: null, price: { source: 'catalogue', rates: { ...RATES, input: RATES.cachedInput } } },
        );
        const plain = costOf(
          { source: 'catalogue', rates: { ...RATES, input: RATES.cachedInput } },
          {
            inputTokens,
            cachedInputTokens,
            cacheWriteTokens,
            outputTokens,
          },
        );
        expect(Number(plain)).toBeLessThanOrEqual(Number(worst) + 1e-9);
        expect(cost).toMatch(/^\d+(\.\d{1,12})?$/);
      }),
    );
  });
});

describe('a price that depends on the region of a call', () => {
  const rates: Rates = { ...RATES, regions: { us: [11, 10] }, tiers: { fast: [6, 1], batch: [1, 2] } };
  const price: ModelPrice = { source: 'catalogue', rates };

  it.each([
    ['us', undefined, '0.0044'],
    ['us', 'batch', '0.0022'],
    ['us', 'fast', '0.0264'],
    ['global', undefined, '0.004'],
    ['constructor', undefined, '0.004'],
    [undefined, 'fast', '0.024'],
  ])('leads in region %s and tier %s to the cost %s', (region, tier, cost) => {
    expect(costOf(price, { inputTokens: 1000, outputTokens: 100, region, tier })).toBe(cost);
  });

  it('is used for the reservation if a call names a region', () => {
    const call = { inputBytes: 3500, maxOutputTokens: 100, defaultOutputTokens: 0, cache: 'none' } as const;
    const model = { maxOutputTokens: null, price };
    expect(worstCost(call, model)).toBe('0.004');
    expect(worstCost({ ...call, isRegional: true }, model)).toBe('0.0044');
    expect(worstCost({ ...call, isRegional: true, isDearerTier: true }, model)).toBe('0.0264');
  });
});

describe('the estimated tokens of a call', () => {
  it('include as output the client’s limit or otherwise the default, but at most the limit of the model', () => {
    const outputOf = (maxOutputTokens: number | undefined, ofModel: number | null) =>
      estimateTokens({ inputBytes: 0, maxOutputTokens, defaultOutputTokens: 4096 }, { maxOutputTokens: ofModel })
        .outputTokens;
    expect([outputOf(10, null), outputOf(undefined, null), outputOf(undefined, 1000), outputOf(9999, 1000)]).toEqual([
      10, 4096, 1000, 1000,
    ]);
  });

  it.each([
    ['allowed', 10, 80],
    ['the default', undefined, 8 * 4096],
    ['more than the limit of the model', 20_000, 80_000],
  ])('include each of several requested responses: %s', (_what, maxOutputTokens, outputTokens) => {
    const call = { inputBytes: 0, maxOutputTokens, defaultOutputTokens: 4096, answers: 8 };
    expect(estimateTokens(call, { maxOutputTokens: 10_000 }).outputTokens).toBe(outputTokens);
  });

  it('include one input token per three and a half bytes', () => {
    const call = { inputBytes: 36, maxOutputTokens: 1, defaultOutputTokens: 1 };
    expect(estimateTokens(call, { maxOutputTokens: null }).inputTokens).toBe(11);
  });
});
