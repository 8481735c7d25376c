/** Private-use characters that Postgres puts around matches; the same characters in the text itself are taken out first. */
export const MARK_START = '\uE000';
export const MARK_STOP = '\uE001';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Snippet as HTML: matches in `<mark>`, everything else escaped, so that no stored text can become markup. */
export function markSnippet(headline: string): string {
  return headline
    .replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
    .replaceAll(MARK_START, '<mark>')
    .replaceAll(MARK_STOP, '</mark>');
}
