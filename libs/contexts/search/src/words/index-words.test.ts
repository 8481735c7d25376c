import fc from 'fast-check';
import { buildIndexWords, stripTerminalCodes } from './index-words.ts';

const texts = fc
  .array(fc.constantFrom('src/a.ts', 'b.c', 'word', '検索中', 'v2.3', 'camelCase', '<i x="y z">', '\n'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(' '));

describe('the indexed form of a text', () => {
  it.each([
    ['colours', '\u001b[1m\u001b[31mFAIL\u001b[0m src', 'FAIL src'],
    ['links and titles', '\u001b]8;;https://a.test\u0007here\u001b]8;;\u0007', 'here'],
    ['lines that are written over', '10 %\r20 %\r\ndone', '10 %\n20 %\ndone'],
    ['nothing else', 'tabs\tand\nlines', 'tabs\tand\nlines'],
  ])('omits terminal escape codes: %s', (_what, text, shown) => {
    expect(stripTerminalCodes(text)).toBe(shown);
    expect(buildIndexWords(text).text).toBe(shown);
  });

  it('normalizes accents', () => {
    expect(buildIndexWords('cafe\u0301').text).toBe('caf\u00e9');
  });

  it('appends derived words after the text, each run separated', () => {
    expect(buildIndexWords('see src/a.ts and src/b.ts').derived).toBe(`'src':2C,6C 'a':3C 'ts':4C,8C 'b':7C`);
    expect(buildIndexWords('only plain words').derived).toBe('');
  });

  it('is a vector that Postgres can parse: positions from the second on, unique and increasing, all marked', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const entry of buildIndexWords(text)
          .derived.split(' ')
          .filter((each) => each !== '')) {
          const [, word = '', places = ''] = /^'([^']+)':(.+)$/.exec(entry) ?? [];
          expect(word).not.toBe('');
          const numbers = places.split(',').map((place) => Number(/^(\d+)C$/.exec(place)?.[1]));
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          expect(Math.min(...numbers)).toBeGreaterThanOrEqual(2);
        }
      }),
    );
  });
});
