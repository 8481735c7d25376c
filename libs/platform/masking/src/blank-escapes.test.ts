import fc from 'fast-check';
import { blankEscapes, removeEscapes } from './blank-escapes.ts';

const PART_LENGTH = 64 * 1024;

describe('escape sequences in a long text', () => {
  const piece = fc.constantFrom(
    '\\',
    '\\\\',
    '\\"',
    '\\n',
    '\\u00',
    '\\u5317',
    '\\ud83d\\ude00',
    '3d',
    'bf',
    '%',
    '%25',
    '%3D',
    '2',
    '0',
    'n',
    '"',
    ' ',
    'x',
  );

  it.each([
    ['blanked', blankEscapes],
    ['removed', removeEscapes],
  ])('are %s at every position, including the end of a chunk', (_what, change) => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 0, max: 80 }), (pieces, before) => {
        const text = `${pieces.join('')}|`;
        const start = `${'x'.repeat(PART_LENGTH - before)}|`;
        expect(change(start + text + 'x'.repeat(200))).toBe(start + change(text) + 'x'.repeat(200));
      }),
      { numRuns: 2000 },
    );
  });

  it('are replaced one to one by blanks, regardless of their number', () => {
    const text = '\\"'.repeat(200_000);
    expect(blankEscapes(text)).toBe(' "'.repeat(200_000));
    expect(removeEscapes(text)).toBe('"'.repeat(200_000));
  });
});
