import fc from 'fast-check';
import { toStorableJson, toStorableText } from './well-formed-text.ts';

/** Generates any sequence of UTF-16 units, often with lone surrogates and NUL. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u0000', '\ud800', '\udfff', '😀', 'a'),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
  )
  .map((parts) => parts.join(''));
const isClean = (text: string) => text.isWellFormed() && !text.includes('\u0000');

describe('a string made storable', () => {
  it('is always storable, retains its length, and is unchanged if it was valid', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = toStorableText(text);
        expect(isClean(stored)).toBe(true);
        expect(stored).toHaveLength(text.length);
        if (isClean(text)) expect(stored).toBe(text);
        expect(toStorableText(stored)).toBe(stored);
      }),
    );
  });

  it.each([
    ['a\u0000b', 'a\uFFFDb'],
    ['\ud83d\ude00', '\ud83d\ude00'],
    ['\ude00\ud83d', '\uFFFD\uFFFD'],
    ['', ''],
  ])('%j is stored as %j', (text, expected) => {
    expect(toStorableText(text)).toBe(expected);
  });
});

describe('JSON made storable', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      anyText,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('map'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  })).value;

  it('is valid in every string and key, and unchanged if it was valid', () => {
    fc.assert(
      fc.property(json, (value) => {
        const stored = toStorableJson(value);
        expect(JSON.stringify(stored)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
        expect(toStorableJson(stored)).toBe(stored);
        if (stored !== value) expect(JSON.stringify(value)).toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });

  it('is a copy: the original is not changed', () => {
    const value = { list: ['\u0000'], ok: 1 };
    expect(toStorableJson(value)).toEqual({ list: ['\uFFFD'], ok: 1 });
    expect(value).toEqual({ list: ['\u0000'], ok: 1 });
  });

  it('retains the order of lists and keys, numbers, and a key called __proto__', () => {
    const text = '{"b":[1.5,null,"\\u0000"],"a":{"__proto__":{"polluted":true}},"0":false}';
    const stored = toStorableJson(JSON.parse(text) as Record<string, unknown>);
    expect(JSON.stringify(stored)).toBe('{"0":false,"b":[1.5,null,"\uFFFD"],"a":{"__proto__":{"polluted":true}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(['\\u0000', 'clean'])('does not overflow the stack if it is nested 100,000 levels deep (%s)', (leaf) => {
    const levels = 100_000;
    let inner = toStorableJson(JSON.parse(`${'['.repeat(levels)}"${leaf}"${']'.repeat(levels)}`)) as unknown;
    for (let level = 0; level < levels; level += 1) inner = (inner as unknown[])[0];
    expect(inner).toBe(leaf === 'clean' ? leaf : '\uFFFD');
  });

  it('can be a list of a million entries', () => {
    const list = Array.from({ length: 1_000_000 }, () => 'x');
    expect(toStorableJson(list)).toBe(list);
  });
});
