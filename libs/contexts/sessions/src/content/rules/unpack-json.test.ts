import fc from 'fast-check';
import { flattenText } from './flatten-text.ts';
import { looksLikeJson, MAX_NESTED, MAX_UNPACKED, MOST_UNPACKED, unpackJson } from './unpack-json.ts';

describe('JSON inside a string (MASK-4)', () => {
  it('is unpacked to the original value, for every object, array and string', () => {
    const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), fc.string());
    fc.assert(
      fc.property(value, fc.stringMatching(/^[ \t\n\r]{0,5}$/), (packed, blanks) => {
        const text = blanks + JSON.stringify(packed);
        expect(looksLikeJson(text)).toBe(true);
        expect(unpackJson(text, true)).toEqual({ kind: 'json', value: JSON.parse(text) as unknown });
      }),
    );
  });

  it('never causes an error, and returns one of three results, for any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (text, mayParse) => {
        const unpacked = unpackJson(text, mayParse);
        expect(['json', 'unescaped', 'plain']).toContain(unpacked.kind);
        if (!looksLikeJson(text)) expect(unpacked).toEqual({ kind: 'plain' });
        if (!mayParse) expect(unpacked.kind).not.toBe('json');
      }),
    );
  });

  it.each(['7', 'null', 'true', 'a sentence', '', 'C:\\new\\table', '(["half'])('%j remains a string', (text) => {
    expect(unpackJson(text, true)).toEqual({ kind: 'plain' });
  });

  it.each([
    ['cut off', '{"out":"a\\nb', '{"out":"a\nb'],
    [
      'cut off, with escapes of other scripts',
      '{"text": "\\u5317\\u4eac, r\\u00e9sum\\u00e9 \\ud83d\\ude00 \\ud83d',
      '{"text": "北京, résumé 😀 \ufffd',
    ],
    ['within a sentence', 'said {\\"a\\":1}', 'said {"a":1}'],
  ])('is read without its escapes if it is %s', (_case, text, expected) => {
    expect(unpackJson(text, true)).toEqual({ kind: 'unescaped', text: expected });
  });
});

describe('the limits of unpacking (MASK-4)', () => {
  const nest = (levels: number) => {
    let text = 'the innermost words';
    for (let level = 0; level < levels; level += 1) text = JSON.stringify({ [`l${level}`]: text });
    return text;
  };

  it('are eight levels of JSON; deeper levels are shown unescaped without loss', () => {
    expect(flattenText(nest(MAX_UNPACKED))).toBe('l0: the innermost words');
    const deeper = flattenText(nest(MAX_UNPACKED + 1));
    expect(deeper).toContain('the innermost words');
    expect(deeper).toMatch(/\{"l0":/);
  });

  it('include a maximum number of characters per item: the rest is not unescaped', () => {
    const packed = (word: string) => JSON.stringify({ out: `${word} ${'x '.repeat(MOST_UNPACKED / 4)}` });
    const lines = flattenText({ results: [packed('first'), packed('second')] });
    expect(lines).toContain('out: first');
    expect(lines).not.toContain('out: second');
    expect(lines).toContain('second');
  });

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('cause no error for nested %s at any JSON depth, and retain the word', (_case, open, close) => {
    for (const depth of [90, 200, 1000, 3000, 20_000, 60_000]) {
      const packed = `${open.repeat(depth)}"innermost"${close.repeat(depth)}`;
      expect(flattenText({ stdout: packed })).toContain('innermost');
    }
  });

  it('cause no error if every level of strings has the maximum depth', () => {
    let text = 'innermost';
    for (let level = 0; level < MAX_UNPACKED; level += 1) {
      const packed = JSON.stringify(text);
      text = `${'{"a":'.repeat(MAX_NESTED)}${packed}${'}'.repeat(MAX_NESTED)}`;
    }
    expect(flattenText({ out: text })).toContain('innermost');
  });

  it('do not count brackets within strings as nesting', () => {
    const packed = JSON.stringify({ out: '[{'.repeat(1000), path: 'C:\\', quote: '"[' });
    expect(unpackJson(packed, true).kind).toBe('json');
  });
});
