/** Matches first words of fragments without a subject; in a test title they only continue the title of its block. */
const FRAGMENTS =
  /^(?:of|by(?! default)|as|behind|beside|those|than|and|but|or|who(?:m|se|ever)?|what(?:ever)?|whichever)\b/i;
/** Terms with a plain or technical equivalent, which mean something only to the authors. */
const PRIVATE_TERMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:who(?:m|se)?ever|whichever)\b/i, 'name the subject: a caller, a process, a person'],
  [/\b(?:front )?doors?\b/i, 'name the API surface or the protocol'],
  [/\bpatience\b/i, 'timeout'],
  [/\bdial(?:s|led|ling)?\b/i, 'connect to, or call'],
  [/\breap(?:s|ed|er|ing)?\b/i, 'expire'],
  [/\bdear(?:er|est)\b/i, 'more expensive'],
  [/\bmeans? harm\b/i, 'malicious'],
  [/\bthrown? away\b/i, 'discard'],
  [/\bbe had again\b/i, 'reproducible'],
];
/** Matches code in a text, and tags of JSDoc with their parameter. */
const CODE = /`[^`]*`|\bhttps?:\S+|@(?:param\s+\S+\s+-|\w+)/g;

/** Returns the fault of a comment or a test title, as part of a sentence; undefined if there is none. */
export function judgeComment(text: string): string | undefined {
  const words = text.replaceAll(CODE, (code) => (code.startsWith('@') ? '' : 'CODE')).trim();
  const fragment = FRAGMENTS.exec(words)?.[0];
  if (fragment !== undefined) return `begins with "${fragment}": begin with a subject or a verb`;
  for (const [term, plain] of PRIVATE_TERMS) {
    const found = term.exec(words)?.[0];
    if (found !== undefined) return `says "${found}": ${plain}`;
  }
  return undefined;
}
