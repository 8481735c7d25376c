import fc from 'fast-check';
import { buildSnippet, createTermMatcher, SNIPPET_LENGTH } from './build-snippet.ts';

const snippet = (text: string, ...words: string[]) => buildSnippet(text, createTermMatcher(words));

describe('a snippet', () => {
  it('marks whole words, whatever their case, and nothing inside others', () => {
    expect(snippet('Error: the ERROR in errors', 'error')).toBe('<mark>Error</mark>: the <mark>ERROR</mark> in errors');
  });

  it('escapes everything else, the marked text too', () => {
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

  it('marks paths, addresses and signs of expressions as they stand', () => {
    expect(snippet('see src/lib/a+b.ts now', 'src/lib/a+b.ts')).toContain('<mark>src/lib/a+b.ts</mark>');
  });

  it('shows the part of a long text where most of the words are together', () => {
    const filler = 'lorem ipsum '.repeat(40);
    const shown = snippet(`alpha ${filler} alpha beta ${filler}`, 'alpha', 'beta');
    expect(shown).toContain('<mark>alpha</mark> <mark>beta</mark>');
    expect(shown.startsWith('… ')).toBe(true);
    expect(shown.replaceAll(/<\/?mark>/g, '').length).toBeLessThanOrEqual(SNIPPET_LENGTH + 4);
  });

  it('begins and ends at words', () => {
    const shown = snippet(`${'abc '.repeat(100)}needle ${'xyz '.repeat(100)}`, 'needle');
    expect(shown).toMatch(/^… abc .*<mark>needle<\/mark>.* xyz …$/);
  });

  it('shows the beginning when no word can be found in the text', () => {
    expect(snippet('some words', 'other')).toBe('some words');
    expect(snippet('some words')).toBe('some words');
  });
});
