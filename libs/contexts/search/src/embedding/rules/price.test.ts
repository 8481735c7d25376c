import fc from 'fast-check';
import { capForCorpus, costOf, parsePriceMap, priceOf, sumUsd } from './price.ts';

describe('the price of a model (EMB-13)', () => {
  it('is looked up by its name, falls back to the default, and is otherwise unknown', () => {
    const prices = parsePriceMap('{"small": 0.02, "free": 0, "default": 0.5}');
    expect([priceOf(prices, 'small'), priceOf(prices, 'free'), priceOf(prices, 'other')]).toEqual([0.02, 0, 0.5]);
    expect(priceOf(parsePriceMap('{"small": 0.02}'), 'other')).toBeUndefined();
  });

  it.each(['toString', '__proto__', 'constructor'])(
    'is unknown for a model named %s, as for any other unknown model',
    (model) => {
      expect(priceOf(parsePriceMap('{"small": 0.02}'), model)).toBeUndefined();
    },
  );

  it.each([
    '',
    'small=1',
    '[]',
    'null',
    '3',
    '{"small": "0.02"}',
    '{"small": -1}',
    '{"small": 1e9}',
    '{"small": null}',
  ])('cannot be read from %j', (text) => {
    expect(() => parsePriceMap(text)).toThrow(/must be/);
  });

  it('yields a cost with ten decimals, always rounded up', () => {
    expect(costOf(1000, 0.02)).toBe(0.00002);
    expect(costOf(1, 0.00001)).toBe(0.0000000001);
    expect(costOf(0, 3)).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 1e9 }), (tokens, micro) => {
        const steps = Math.round(costOf(tokens, micro / 1e6) * 1e10);
        expect(BigInt(steps)).toBe((BigInt(tokens) * BigInt(micro) + 99n) / 100n);
      }),
    );
  });
});

describe('a cap (EMB-14)', () => {
  it('reserves two percent for queries', () => {
    expect(sumUsd([0.1, 0.2, -0.3, 0.0000000001])).toBe(0.0000000001);
    expect([capForCorpus(2), capForCorpus(0), capForCorpus(0.000001)]).toEqual([1.96, 0, 0.00000098]);
  });
});
