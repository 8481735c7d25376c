import { findModelPrice, findPriceWarnings } from '../../index.ts';
import type { PricedFields } from './model-price.ts';

const AT = new Date('2026-11-20T10:00:00Z');
const model = (more: Partial<PricedFields>): PricedFields => ({
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  modelIdentifier: 'gpt-4o-mini',
  customPrices: null,
  ...more,
});
const priceOf = (more: Partial<PricedFields>) => findModelPrice(model(more), AT);

describe('the price of a model (MOD-10)', () => {
  it('is the catalogue’s, of each kind of token', () => {
    expect(priceOf({})).toEqual({
      source: 'catalogue',
      rates: {
        input: { base: 150_000 },
        cachedInput: { base: 75_000 },
        cacheWrite: { base: 150_000 },
        longCacheWrite: { base: 150_000 },
        output: { base: 600_000 },
      },
    });
    const claude = priceOf({ provider: 'anthropic', modelIdentifier: 'claude-sonnet-4-5' });
    expect(claude.rates?.input).toEqual({ base: 3_000_000, tiers: [{ above: 200_000, rate: 6_000_000 }] });
    expect(claude.rates?.cacheWrite.base).toBe(3_750_000);
  });

  it.each(['gpt-5.4', 'text-embedding-3-small'])('is known of %s', (modelIdentifier) => {
    expect(priceOf({ modelIdentifier }).source).toBe('catalogue');
  });

  it('is found by the address of a compatible service, else by the name of the model', () => {
    const at = (baseUrl: string, modelIdentifier: string) =>
      priceOf({ provider: 'generic_compatible', baseUrl, modelIdentifier }).source;
    expect(at('https://api.deepseek.com/v1', 'deepseek-chat')).toBe('catalogue');
    expect(at('https://models.example.com/v1', 'gpt-4o-mini')).toBe('catalogue');
    expect(at('https://models.example.com/v1', 'our-own')).toBe('unknown');
  });

  it('is the account’s own where it set one; cached tokens cost as much as others unless it says what', () => {
    const own = { input: '1', output: '0.000001', cachedInput: null };
    expect(priceOf({ customPrices: own })).toMatchObject({
      source: 'custom',
      rates: { input: { base: 1_000_000 }, cachedInput: { base: 1_000_000 }, output: { base: 1 } },
    });
    expect(priceOf({ customPrices: { ...own, cachedInput: '0' } }).rates?.cachedInput).toEqual({ base: 0 });
  });

  it('can be taken into a reservation and out of it', () => {
    const price = priceOf({ modelIdentifier: 'gpt-5.4' });
    expect(JSON.parse(JSON.stringify(price))).toEqual(price);
  });
});

describe('an own price that looks mistyped (MOD-12)', () => {
  const warned = (input: string, more: Partial<PricedFields> = {}) =>
    findPriceWarnings(model({ customPrices: { input, output: '0.6', cachedInput: null }, ...more }), AT);

  it.each(['1.500001', '0.014999', '0.000001'])('is told when it is %s instead of 0.15', (input) => {
    expect(warned(input)).toEqual([{ field: 'input_per_mtok_usd', customUsd: input, catalogueUsd: '0.15' }]);
  });

  it.each(['0.15', '1.5', '0.015', '0'])('is not told of %s', (input) => {
    expect(warned(input)).toEqual([]);
  });

  it('is not told where the catalogue knows none, nor of prices of the catalogue', () => {
    expect(warned('999', { modelIdentifier: 'our-own' })).toEqual([]);
    expect(findPriceWarnings(model({}), AT)).toEqual([]);
  });
});
