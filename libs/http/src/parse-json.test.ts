import fc from 'fast-check';
import type { AppError } from '@steward/contracts';
import { measureJson } from './measure-json.ts';
import { MAX_JSON_NAMES, MAX_JSON_VALUES, parseJson } from './parse-json.ts';

const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const refusal = (value: unknown): AppError | undefined => {
  try {
    parseJson(toBytes(value));
    return undefined;
  } catch (error) {
    return error as AppError;
  }
};
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('a JSON body', () => {
  it.each([
    ['250,000 members of one object', named(250_000)],
    ['250,000 entries of an array', { a: Array.from({ length: 250_000 }, (_, index) => index) }],
    ['250,000 empty objects', Array.from({ length: 250_000 }, () => ({}))],
  ])('is refused for %s; the error contains the limit, the actual number and the excess (LIM-14)', (_what, value) => {
    const error = refusal(value);
    expect(error?.code).toBe('payload_too_large');
    const { limit, actual, overage } = error?.detail as Record<string, number>;
    expect(limit).toBe(MAX_JSON_VALUES);
    expect([actual === 250_000 || actual === 250_001, overage]).toEqual([true, (actual ?? 0) - MAX_JSON_VALUES]);
  });

  it.each([
    ['in one object', named(30_000)],
    ['in objects of one member', Array.from({ length: 30_000 }, (_, index) => ({ [`k${index}`]: 1 }))],
  ])('is refused with 30,000 different names %s (LIM-15)', (_what, value) => {
    expect(refusal(value)).toMatchObject({ code: 'payload_too_large', detail: { limit: MAX_JSON_NAMES } });
  });

  it.each([
    [
      'a transcript of 1000 messages',
      { messages: Array.from({ length: 1000 }, () => ({ role: 'user', content: 'x' })) },
    ],
    [
      '2 MiB of rows',
      Array.from({ length: 10_000 }, (_, row) =>
        Object.fromEntries([...'abcdefghij'].map((column) => [column, `value ${row}`])),
      ),
    ],
    ['2 MiB of an embedding', { vector: Array.from({ length: 110_000 }, (_, index) => index / 7) }],
    ['3 MiB of text full of signs', { text: '{"a":[1,2,3]},'.repeat(220_000) }],
    ['10,000 different names', named(10_000)],
  ])('is accepted in formats that agents send: %s', (_what, value) => {
    expect(refusal(value)).toBeUndefined();
  });

  it('is measured consistently with parsing, for any content', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.boolean(), (text, isPretty) => {
        const value = JSON.parse(text) as unknown;
        const bytes = Buffer.from(isPretty ? JSON.stringify(value, null, 2) : text);
        const counted = measureJson(bytes, { maxDepth: 200, countsNames: true });
        const expected = count(JSON.parse(bytes.toString()));
        expect(counted.values).toBe(expected.values);
        expect(counted.names).toBeLessThanOrEqual(expected.names.size);
        expect(counted.names).toBeGreaterThanOrEqual(expected.names.size - 1);
      }),
    );
  });

  it('is also measured if it is invalid', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => measureJson(Buffer.from(bytes), { maxDepth: 3, countsNames: true }).values >= -200,
      ),
    );
  });
});

/** Determines the counts by traversing the parsed value. */
function count(
  value: unknown,
  found = { values: 0, names: new Set<string>() },
): { values: number; names: Set<string> } {
  if (value === null || typeof value !== 'object') return found;
  for (const [name, inner] of Object.entries(value)) {
    found.values += 1;
    if (!Array.isArray(value)) found.names.add(JSON.stringify(name));
    count(inner, found);
  }
  return found;
}
