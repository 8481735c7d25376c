import fc from 'fast-check';
import { nonBlank } from './non-blank.ts';

describe('a string that counts as given (SESS-2)', () => {
  it('is any string that is not blank, unchanged, including surrounding white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const kept = nonBlank(text);
        expect(kept === null).toBe(text.trim() === '');
        if (kept === null) return;
        expect(kept).toHaveLength(text.length);
        expect(nonBlank(kept)).toBe(kept);
      }),
    );
  });

  it.each([null, undefined, '', ' ', '\n\t\r', '\u00a0\u3000\ufeff'])('is not %j', (text) => {
    expect(nonBlank(text)).toBeNull();
  });

  it.each([
    ['\u0000', '\uFFFD'],
    ['\ud800', '\uFFFD'],
    [' a\u0000 ', ' a\uFFFD '],
    ['\u200b', '\u200b'],
  ])('includes %j, which is stored as %j (API-7)', (text, kept) => {
    expect(nonBlank(text)).toBe(kept);
  });
});
