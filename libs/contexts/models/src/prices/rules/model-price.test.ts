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
  it('is that of the catalog for each kind of token', () => {
    expect(priceOf({})).toMatchObject({
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
    const audio = priceOf({ modelIdentifier: 'gpt-audio' }).rates;
    expect([audio?.inputAudio, audio?.outputAudio]).toEqual([{ base: 32_000_000 }, { base: 64_000_000 }]);
    expect(claude.rates?.searches).toBe(10_000_000);
  });

  it.each([
    ['openai', 'gpt-5.4', 'priority', [2, 1]],
    ['openai', 'gpt-5.4', 'flex', [1, 2]],
    ['openai', 'gpt-5-mini', 'priority', [9, 5]],
    ['openai', 'gpt-4.1-2025-04-14', 'priority', [7, 4]],
    ['openai', 'gpt-4o', 'priority', [17, 10]],
    ['generic_compatible', 'openai/gpt-4o-mini', 'priority', [5, 3]],
    ['generic_compatible', 'llama', 'flex', [1, 1]],
    ['anthropic', 'claude-opus-4-6', 'batch', [1, 2]],
    ['anthropic', 'claude-opus-4-6', 'fast', [6, 1]],
    ['anthropic', 'claude-opus-5', 'fast', [2, 1]],
    ['anthropic', 'claude-opus-5-20260723', 'fast', [2, 1]],
    ['anthropic', 'claude-opus-5-5', 'fast', [6, 1]],
  ] as const)('has the factor of the tier, for %s %s in the tier %s: %j', (provider, modelIdentifier, tier, factor) => {
    const customPrices = { input: '1', output: '2', cachedInput: null };
    expect(priceOf({ provider, modelIdentifier, customPrices }).rates?.tiers?.[tier]).toEqual(factor);
  });

  it.each([
    ['https://eu.api.openai.com/v1', 'gpt-5.4', 2_750_000],
    ['https://us.api.openai.com/v1', 'gpt-5.5', 5_500_000],
    ['https://api.openai.com/v1', 'gpt-5.4', 2_500_000],
    ['https://eu.api.openai.com/v1', 'gpt-5', 1_250_000],
    ['https://eu.api.openai.com/v1', 'gpt-4.1', 2_000_000],
    ['https://eu.api.openai.com.example.com/v1', 'gpt-5.4', 2_500_000],
  ])('at %s for %s is ten percent higher only for models with regional prices', (baseUrl, modelIdentifier, base) => {
    expect(priceOf({ baseUrl, modelIdentifier }).rates?.input.base).toBe(base);
  });

  it('is also increased in a region for long inputs, but never if it is a custom price', () => {
    const europe = { baseUrl: 'https://eu.api.openai.com/v1', modelIdentifier: 'gpt-5.4' };
    expect(priceOf(europe).rates?.output.tiers).toEqual([{ above: 271_999, rate: 24_750_000 }]);
    const customPrices = { input: '3', output: '15', cachedInput: null };
    expect(priceOf({ ...europe, customPrices }).rates?.input.base).toBe(3_000_000);
  });

  it.each(['gpt-5.4', 'text-embedding-3-small'])('is found for %s', (modelIdentifier) => {
    expect(priceOf({ modelIdentifier }).source).toBe('catalogue');
  });

  it('is found by the address of a compatible service, or otherwise by the name of the model', () => {
    const at = (baseUrl: string, modelIdentifier: string) =>
      priceOf({ provider: 'generic_compatible', baseUrl, modelIdentifier }).source;
    expect(at('https://api.deepseek.com/v1', 'deepseek-chat')).toBe('catalogue');
    expect(at('https://models.example.com/v1', 'gpt-4o-mini')).toBe('catalogue');
    expect(at('https://models.example.com/v1', 'our-own')).toBe('unknown');
  });

  it('is the account’s custom price if set; cached tokens cost as much as others unless a price is specified', () => {
    const own = { input: '1', output: '0.000001', cachedInput: null };
    expect(priceOf({ customPrices: own })).toMatchObject({
      source: 'custom',
      rates: { input: { base: 1_000_000 }, cachedInput: { base: 1_000_000 }, output: { base: 1 } },
    });
    expect(priceOf({ customPrices: { ...own, cachedInput: '0' } }).rates?.cachedInput).toEqual({ base: 0 });
  });

  it('uses the catalog for prices that the account omits, and for cache writes of the messages API', () => {
    const customPrices = { input: '3', output: '15', cachedInput: '0.3' };
    expect(priceOf({ modelIdentifier: 'gpt-audio', customPrices }).rates?.outputAudio).toEqual({ base: 64_000_000 });
    const claude = priceOf({ provider: 'anthropic', modelIdentifier: 'nobody-knows', customPrices }).rates;
    expect([claude?.cacheWrite, claude?.longCacheWrite]).toEqual([{ base: 3_750_000 }, { base: 6_000_000 }]);
  });

  it('is unchanged when stored in and read from a reservation', () => {
    const price = priceOf({ modelIdentifier: 'gpt-5.4' });
    expect(JSON.parse(JSON.stringify(price))).toEqual(price);
  });
});

describe('a custom price that looks like a typing error (MOD-12)', () => {
  const warned = (input: string, more: Partial<PricedFields> = {}) =>
    findPriceWarnings(model({ customPrices: { input, output: '0.6', cachedInput: null }, ...more }), AT);

  it.each(['1.500001', '0.014999', '0.000001'])('is reported if it is %s instead of 0.15', (input) => {
    expect(warned(input)).toEqual([{ field: 'input_per_mtok_usd', customUsd: input, catalogueUsd: '0.15' }]);
  });

  it.each(['0.15', '1.5', '0.015', '0'])('is not reported for %s', (input) => {
    expect(warned(input)).toEqual([]);
  });

  it('is not reported if the catalog has no price, or for catalog prices', () => {
    expect(warned('999', { modelIdentifier: 'our-own' })).toEqual([]);
    expect(findPriceWarnings(model({}), AT)).toEqual([]);
  });
});
