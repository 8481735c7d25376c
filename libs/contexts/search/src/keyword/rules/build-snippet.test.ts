import fc from 'fast-check';
import { isUnspaced, listForms } from '../../words/split-words.ts';
import { buildSnippet, createTermMatcher, SNIPPET_LENGTH } from './build-snippet.ts';

const snippet = (text: string, ...words: string[]) => buildSnippet(text, createTermMatcher(words));

/** Returns the visible text of a snippet, without marks, ellipses and escapes. */
const readShown = (html: string): string =>
  html
    .replace(/^… /, '')
    .replace(/ …$/, '')
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'a&b', '<i>', '👩‍👩‍👧‍👦', 'é', '\n', 'x'.repeat(300)), {
  maxLength: 120,
});

/** Returns a text that is short enough to be shown completely, with its marks. */
function markByExpressions(text: string, word: string): string {
  const isPiece = (part: string, before: string, behind: string): boolean => {
    const [first = '', last = ''] = [[...part].at(0), [...part].at(-1)];
    const goesOn = (before !== '' && !isUnspaced(first)) || (behind !== '' && !isUnspaced(last));
    return goesOn && !listForms(`${before}${part}${behind}`).includes(part.toLowerCase());
  };
  let html = '';
  let from = 0;
  for (const match of text.matchAll(createTermMatcher([word]) ?? /^$/g)) {
    const [found] = match;
    const end = match.index + found.length;
    const [head = ''] = /^[\p{L}\p{M}\p{N}]*/u.exec(found) ?? [];
    const [tail = ''] = /[\p{L}\p{M}\p{N}]*$/u.exec(found) ?? [];
    const [before = ''] = /[\p{L}\p{M}\p{N}]*$/u.exec(text.slice(Math.max(0, match.index - 80), match.index)) ?? [];
    const [behind = ''] = /^[\p{L}\p{M}\p{N}]*/u.exec(text.slice(end, end + 80)) ?? [];
    const isInside =
      head === found ? isPiece(found, before, behind) : isPiece(head, before, '') || isPiece(tail, '', behind);
    if (isInside) continue;
    html += `${text.slice(from, match.index)}<mark>${found}</mark>`;
    from = end;
  }
  return html + text.slice(from);
}

describe('a snippet (SRCH-16)', () => {
  it('marks whole words in any case, and nothing inside other words', () => {
    expect(snippet('Error: the ERROR in errors', 'error')).toBe('<mark>Error</mark>: the <mark>ERROR</mark> in errors');
  });

  it('finds word boundaries by characters, in the same way as regular expressions', () => {
    const parts = fc.constantFrom(
      'err',
      'Err',
      'or',
      'é',
      'e\u0301',
      '1',
      '語',
      'ー',
      '𝕖',
      '\ud835',
      '\udd56',
      ' ',
      '.',
    );
    const texts = fc.array(parts, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, fc.constantFrom('err', 'or', 'err.or', '語', '𝕖'), (text, word) => {
        expect(snippet(text, word)).toBe(markByExpressions(text, word));
      }),
    );
  });

  it('escapes everything else, including the marked text', () => {
    expect(snippet('<b>a&b</b> "x"', 'a&b')).toBe('&lt;b&gt;<mark>a&amp;b</mark>&lt;/b&gt; &quot;x&quot;');
  });

  it('never lets stored text become markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.string({ maxLength: 10 }), (text, word) => {
        const bare = snippet(`<i>${text}</i>`, word).replaceAll(/<\/?mark>/g, '');
        expect(bare).not.toMatch(/[<>"']/);
        expect(bare.isWellFormed()).toBe(true);
      }),
    );
  });

  it('marks paths, addresses and special characters of regular expressions completely', () => {
    expect(snippet('see src/lib/a+b.ts now', 'src/lib/a+b.ts')).toContain('<mark>src/lib/a+b.ts</mark>');
  });

  it('shows the part of a long text that contains the most words', () => {
    const filler = 'lorem ipsum '.repeat(40);
    const shown = snippet(`alpha ${filler} alpha beta ${filler}`, 'alpha', 'beta');
    expect(shown).toContain('<mark>alpha</mark> <mark>beta</mark>');
    expect(shown.startsWith('… ')).toBe(true);
    expect(shown.replaceAll(/<\/?mark>/g, '').length).toBeLessThanOrEqual(SNIPPET_LENGTH + 4);
  });

  it('begins and ends at word boundaries', () => {
    const shown = snippet(`${'abc '.repeat(100)}needle ${'xyz '.repeat(100)}`, 'needle');
    expect(shown).toMatch(/^… abc .*<mark>needle<\/mark>.* xyz …$/);
  });

  it('shows the beginning if no word is found in the text', () => {
    expect(snippet('some words', 'other')).toBe('some words');
    expect(snippet('some words')).toBe('some words');
  });

  it('is a part of the text, of at most 260 characters, for any text and words', () => {
    fc.assert(
      fc.property(words, fc.subarray(['alpha', 'beta', 'a&b', 'é', 'missing']), (parts, asked) => {
        const text = parts.join(' ');
        const shown = readShown(snippet(text, ...asked));
        expect(text).toContain(shown);
        expect(shown.length).toBeLessThanOrEqual(SNIPPET_LENGTH);
      }),
    );
  });

  it('marks words of the query and nothing else, and closes each mark before the next', () => {
    fc.assert(
      fc.property(words, fc.subarray(['alpha', 'beta', 'a&b'], { minLength: 1 }), (parts, asked) => {
        const html = snippet(parts.join(' '), ...asked);
        const marked = [...html.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word = '']) => readShown(word));
        expect(marked.filter((word) => !asked.includes(word))).toEqual([]);
        expect(html.match(/<mark>/g)?.length ?? 0).toBe(marked.length);
      }),
    );
  });

  it('shows a match if the text contains one that fits into the snippet', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), (before, behind) => {
        const text = `${'lorem '.repeat(before)}needle ${'ipsum '.repeat(behind)}`;
        expect(snippet(text, 'needle')).toContain('<mark>needle</mark>');
      }),
      { numRuns: 50 },
    );
  });

  it.each(['a ', 'ba'])('examines a bounded number of matches of %j, whether they are words or not', (piece) => {
    let looked = 0;
    class Counting extends RegExp {
      override exec(text: string) {
        looked += 1;
        return super.exec(text);
      }
    }
    buildSnippet(piece.repeat(5000), new Counting('a', 'giu'));
    expect([looked > 0, looked <= 500]).toEqual([true, true]);
  });

  it('treats special characters of regular expressions literally', () => {
    for (const word of ['.*', 'a|b', '(x', '[z', '$^', 'c++', '\\d', '{2}'])
      expect(snippet(`before ${word} behind`, word)).toBe(`before <mark>${word}</mark> behind`);
  });

  it('prefers the longest word if several begin at one position', () => {
    expect(snippet('run src/lib.ts now', 'src', 'src/lib.ts')).toBe('run <mark>src/lib.ts</mark> now');
  });

  it('recognizes letters of every script: a word inside a longer one is not marked', () => {
    expect(snippet('größer groß', 'groß')).toBe('größer <mark>groß</mark>');
    expect(snippet('мирный мир', 'мир')).toBe('мирный <mark>мир</mark>');
    expect(snippet('𝒶bc bc', 'bc')).toBe('𝒶bc <mark>bc</mark>');
  });
});
