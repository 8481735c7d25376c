import { escapeWideCharacters } from './escape-wide-characters.ts';

describe('the source of a bundle', () => {
  it('contains only ASCII characters, and behaves in the same way', () => {
    const source = `/* \u2026 \u{1f600} */ [/^[\u2013\u00b5]$/.test('\u2013'), /\u{1f600}/u.test('\u{1f600}'), '\u00b5\u4e16', \`\u{1f600}\`]`;
    const escaped = escapeWideCharacters(source);
    expect(escaped).not.toMatch(/[\u0080-\uffff]/);
    const run = (text: string): unknown => (0, eval)(text) as unknown;
    expect(run(escaped)).toEqual(run(source));
    expect(run(escaped)).toEqual([true, true, '\u00b5\u4e16', '\u{1f600}']);
  });
});
