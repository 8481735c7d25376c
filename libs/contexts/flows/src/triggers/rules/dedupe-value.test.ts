import fc from 'fast-check';
import { readDedupeValue } from './dedupe-value.ts';

const read = (value: unknown): string | null => readDedupeValue('k', { k: value });

describe('a dedupe value', () => {
  it.each<[string, unknown, unknown]>([
    ['a number and its string form', 5, '5'],
    ['true and its string form', true, 'true'],
    ['false and zero', false, 0],
    ['an array and its string form', [1], '[1]'],
    ['an object and its string form', { a: 1 }, '{"a":1}'],
    ['a number and its stored form', 5, 'json:5'],
    ['a string and its stored form in JSON', 'json:5', 'json:"json:5"'],
    ['the string null and the empty string', 'null', ''],
    ['a long array and its string form', [Array(100).fill(1)], JSON.stringify([Array(100).fill(1)])],
    ['a long string and its stored form', 'x'.repeat(500), read('x'.repeat(500))],
  ])('distinguishes %s', (_what, one, other) => {
    expect(read(one)).not.toBe(read(other));
  });

  it.each<[string, unknown, unknown]>([
    ['5 and 5.0', 5, JSON.parse('5.0')],
    ['objects with their keys in a different order', { a: 1, b: { c: [2], d: 3 } }, { b: { d: 3, c: [2] }, a: 1 }],
    ['strings that are stored identically', 'a\u0000', 'a\ufffd'],
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
