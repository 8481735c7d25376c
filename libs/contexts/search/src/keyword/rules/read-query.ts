import { markCompounds } from './expand-query.ts';

/** A word or a phrase of a query. */
export interface QueryItem {
  /** The text as typed, without its quotes. */
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isExcluded: boolean;
  /** Whether the item is a prefix, that is, ends with a `*`. */
  readonly isPrefix: boolean;
}

export interface ReadQuery {
  readonly items: readonly QueryItem[];
  /** Whether some of the items are alternatives. */
  readonly hasOr: boolean;
}

/** Matches characters that the parser skips where it expects a word. */
const PASSED = /[\s!&|()]*/y;
/** Matches a word. A colon ends a word, and is the first character of the next one. */
const WORD = /:?[^\s"!&|():]*/y;
/** Matches `or` as a separate word that is followed by something. */
const OR = /or(?![-_\p{L}\p{N}]).\s*\S/iuy;

/**
 * Reads a query's words as the parser of web-search queries does, with compound words as typed. The semantic half reads
 * queries with this function, so that both halves of a search use the same words and exclusions.
 */
export function readQuery(query: string): ReadQuery {
  const marked = markCompounds(query);
  const typed = new Map(marked.compounds.map((compound) => [compound.sign, compound]));
  const text = marked.query;
  const items: QueryItem[] = [];
  let hasOr = false;
  let nots = 0;
  for (let at = pass(text, 0); at < text.length; at = pass(text, at)) {
    if (text[at] === '-') {
      nots += 1;
      at += 1;
      continue;
    }
    const isPhrase = text[at] === '"';
    const end = isPhrase ? endOfPhrase(text, at) : matchAt(WORD, text, at);
    const found = isPhrase ? text.slice(at + 1, end).replace(/"$/, '') : text.slice(at, end);
    const whole = typed.get(found);
    items.push({
      text: (whole?.typed ?? found).replaceAll('"', ''),
      isPhrase: isPhrase || whole?.typed.startsWith('"') === true,
      isExcluded: nots % 2 === 1,
      isPrefix: whole?.isPrefix === true,
    });
    nots = 0;
    at = pass(text, end);
    if (matchAt(OR, text, at) === at) continue;
    hasOr = true;
    at += 2;
  }
  return { items, hasOr };
}

function pass(text: string, at: number): number {
  return matchAt(PASSED, text, at);
}

/** Returns the end of a match that begins at this position; without a match, the position itself. */
function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function endOfPhrase(text: string, at: number): number {
  const end = text.indexOf('"', at + 1);
  return end === -1 ? text.length : end + 1;
}
