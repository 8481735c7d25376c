import fc from 'fast-check';
import { readDedupeValue } from './dedupe-value.ts';

const read = (value: unknown): string | null => readDedupeValue('k', { k: value });

describe('a dedupe value', () => {
  it.each<[string, unknown, unknown]>([
    ['a number and its text', 5, '5'],
    ['true and its text', true, 'true'],
    ['false and zero', false, 0],
    ['an array and its text', [1], '[1]'],
    ['an object and its text', { a: 1 }, '{"a":1}'],
    ['a number and what stands for it', 5, 'json:5'],
    ['a text and what stands for it in JSON', 'json:5', 'json:"json:5"'],
    ['the text null and the empty text', 'null', ''],
    ['a long array and its text', [Array(100).fill(1)], JSON.stringify([Array(100).fill(1)])],
    ['a long text and what stands for it', 'x'.repeat(500), read('x'.repeat(500))],
  ])('distinguishes %s', (_what, one, other) => {
    expect(read(one)).not.toBe(read(other));
  });

  it.each<[string, unknown, unknown]>([
    ['5 and 5.0', 5, JSON.parse('5.0')],
    ['objects with their keys in another order', { a: 1, b: { c: [2], d: 3 } }, { b: { d: 3, c: [2] }, a: 1 }],
    ['texts that are stored alike', 'a\u0000', 'a\ufffd'],
  ])('is the same for %s', (_what, one, other) => {
    expect(read(one)).toBe(read(other));
  });

  it('is missing if there is no path, if the path does not exist, and for null', () => {
    expect(readDedupeValue(undefined, { k: 1 })).toBeNull();
    expect(readDedupeValue('', { k: 1 })).toBeNull();
    expect(readDedupeValue('k.x', { k: 1 })).toBeNull();
    expect(read(null)).toBeNull();
  });

  it('is a short string itself, so that it matches executions of an earlier version', () => {
    expect(read('main')).toBe('main');
    expect(read('')).toBe('');
  });

  it('has a limited length, and is equal only for equal JSON values', () => {
    const tricky = fc.constantFrom('json:', 'sha256:', 'json:1', '1', 'true', 'null', '"', '__proto__');
    const value = fc.oneof(tricky, fc.jsonValue({ maxDepth: 3 }), fc.string({ minLength: 190, maxLength: 260 }));
    fc.assert(
      fc.property(value, value, (one, other) => {
        fc.pre(one !== null && other !== null);
        const [first, second] = [one, other].map((given) => JSON.parse(JSON.stringify(given)) as unknown);
        expect(read(first)?.length).toBeLessThanOrEqual(200);
        expect(read(first)).toBe(read(structuredClone(first)));
        expect(read(first) === read(second)).toBe(isDeepEqual(first, second));
      }),
      { numRuns: 2000 },
    );
  });
});

function isDeepEqual(one: unknown, other: unknown): boolean {
  try {
    expect(one).toStrictEqual(other);
    return true;
  } catch {
    return false;
  }
}
