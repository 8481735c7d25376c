import { splitWords, type SplitWord } from '../../words/split-words.ts';
import { foldText, normaliseAccents } from '../../words/fold-text.ts';
import type { ParsedQuery } from './keyword-query.ts';
import { listQueryTerms, unquoteTerm } from './query-terms.ts';

/** A word or phrase of a query that is also searched by its parts. */
export interface Compound {
  /** Placeholder that replaces the word in the query that is parsed. */
  readonly sign: string;
  /** The text as typed, with its quotes. */
  readonly typed: string;
  /** The parts as a tsquery. */
  readonly parts: string;
  /**
   * The parts as a tsquery in which parts of a compound word match only derived words; it replaces `parts` if the word
   * is excluded.
   */
  readonly derived: string;
  /** Whether longer words also match, because the word ends with `*`. */
  readonly isPrefix: boolean;
  /**
   * Whether the word is indexed in another form than the one typed; chunks indexed by an older version contain the
   * typed form.
   */
  readonly isFolded: boolean;
}

export interface MarkedQuery {
  readonly query: string;
  readonly compounds: readonly Compound[];
}

const ITEM = /"[^"]*"?|[^\s"]+/gu;
/** Matches characters that the parser skips before a word, and the dash of an exclusion. */
const SIGNS = /^[-!&|()]*/;
/** Matches a dash within an item if the parser would treat this dash as an exclusion. */
const INNER_EXCLUSION = /[!&|()]-/;
/** Matches a colon at the beginning, or a possible operator of the parser with a letter or digit anywhere after it. */
const OPERATOR_WITHIN = /^[:]|[!&|():].*[\p{L}\p{M}\p{N}]/u;
/** Matches a word that ends with `*` after at least three characters; a shorter prefix would match too many words. */
const PREFIX = /^[^*]*(?:[\p{L}\p{N}]{3}|[\p{L}\p{N}][^*\p{L}\p{N}]+[\p{L}\p{N}]{2})\*$/u;
/** Matches a word in a tsquery, with its negations. */
const TERM = /(!*)('(?:[^']|'')*')/g;
/** The weight label of words that are derived from those of a text. */
const DERIVED = 'C';
/** Matches text after which a word may follow without a blank; a dash after a word would belong to that word. */
const WORD_MAY_FOLLOW = /(?:^|\s|[!&|()]|(?:^|[\s"!&|()])-+)$/;

/** Replaces compound words in a query with placeholder words that the parser leaves unchanged. */
export function markCompounds(asked: string): MarkedQuery {
  const typed = normaliseAccents(asked);
  const compounds: Compound[] = [];
  const base = chooseSign(typed);
  const query = typed.replaceAll(ITEM, (item, at: number) => {
    const signs = SIGNS.exec(item)?.[0] ?? '';
    const word = item.slice(signs.length);
    const parts = listParts(word);
    if (parts === undefined) return item;
    const sign = `${base}${spell(compounds.length)}`;
    compounds.push({ sign, typed: word, ...parts });
    const before = WORD_MAY_FOLLOW.test(typed.slice(0, at)) ? '' : ' ';
    const behind = /\S/.test(typed.charAt(at + item.length)) ? ' ' : '';
    return `${before}${signs}${sign}${behind}`;
  });
  return { query, compounds };
}

/**
 * Replaces the placeholders in the parsed query with the compound words: each is searched both as the parser reads it
 * and by its parts.
 *
 * @param options.anyWord - whether the words are joined by OR: each form then has its own weight, so that a common
 * form, such as the letters of an issue key, counts less than a rare one.
 * @param parsed.read - the parser's result for each of the compound words.
 * @param options.isExcluded - whether matches of the query are excluded.
 */
export function restoreCompounds(
  parsed: { readonly tsquery: string; readonly tree: string; readonly read: readonly string[] },
  { compounds }: MarkedQuery,
  { anyWord = false, isExcluded = false } = {},
): ParsedQuery {
  const readOf = ({ isPrefix }: Compound, index: number): string => (isPrefix ? '' : (parsed.read[index] ?? ''));
  const list = (form: (compound: Compound) => string) =>
    new Map(compounds.map((each, index) => [`'${each.sign}'`, joinForms(readOf(each, index), form(each))]));
  const groups = list(({ parts }) => parts);
  const excluded = list(({ derived }) => derived);
  const forms = new Map(compounds.map((each, index) => [`'${each.sign}'`, listForms(readOf(each, index), each)]));
  const restore = (text: string): string =>
    text.replaceAll(TERM, (whole, nots: string, term: string) => {
      const form = (isExcluded !== (nots.length % 2 === 1) ? excluded : groups).get(term);
      return form === undefined ? whole : `${nots}${form}`;
    });
  const signs = listQueryTerms(parsed.tree);
  const asked = compounds.flatMap((compound, index) =>
    signs.includes(`'${compound.sign}'`) ? [{ ...compound, read: readOf(compound, index) }] : [],
  );
  return {
    tsquery: restore(parsed.tsquery),
    terms: [...new Set(signs.flatMap((term) => (anyWord ? forms : groups).get(term) ?? term))],
    shown: [
      ...signs.filter((term) => !groups.has(term)).map(unquoteTerm),
      ...asked.flatMap(({ typed, read, isPrefix }) => [
        typed.replaceAll('"', ''),
        ...(isPrefix ? [] : splitWords(typed).map(({ text }) => text)),
        ...listQueryTerms(read).map(unquoteTerm),
      ]),
    ],
  };
}

/**
 * Returns the forms in which a word is searched. If the parser splits the word into several words, and the word is
 * indexed as typed, only these words are returned: the phrase of the parts would count them twice.
 */
function listForms(read: string, { parts, isFolded }: Compound): string[] {
  const words = listQueryTerms(read);
  return words.length > 1 && !isFolded ? words : [...words, `( ${parts} )`];
}

function joinForms(read: string, parts: string): string {
  return read === '' || read === parts ? `( ${parts} )` : `( ${read} | ${parts} )`;
}

/**
 * Returns the parts of a word; undefined for a word that the parser reads in the form in which the text index contains
 * it, and for text that cannot be split in this way, such as text with an exclusion inside.
 */
function listParts(item: string): Omit<Compound, 'sign' | 'typed'> | undefined {
  const isPhrase = item.startsWith('"');
  const isPrefix = !isPhrase && PREFIX.test(item);
  if (!isPhrase && INNER_EXCLUSION.test(item)) return undefined;
  const isPlain = isPhrase || !OPERATOR_WITHIN.test(item);
  const folded = isPlain ? foldText(item) : item;
  const isFolded = folded !== item;
  const words = splitWords(folded);
  const isOne = isPlain && words.length === 1;
  const isOther = words.some((word) => hasParts(word) || (isOne && word.humps.length > 0));
  if (words.length === 0 || !(isOther || isPrefix || isFolded)) return undefined;
  if (words.some(({ run }) => run.some(([lexeme]) => lexeme === undefined))) return undefined;
  const write = (weight: string): string => {
    const phrases = words.map((word) => listLexemes(word, hasParts(word) ? weight : ''));
    if (isPhrase && !isOne) return phrases.flat().join(' <-> ');
    const last = words.length - 1;
    return words
      .map((word, index) => {
        const end = isPrefix && index === last ? makePrefix : (text: string) => text;
        const whole = end((phrases[index] ?? []).join(' <-> '));
        if (word.humps.length === 0) return whole;
        const humps = end(word.humps.map((hump) => `'${hump}':${DERIVED}`).join(' <-> '));
        return isOne && !isPrefix && !isFolded ? humps : `( ${whole} | ${humps} )`;
      })
      .join(' & ');
  };
  return { parts: write(''), derived: write(`:${DERIVED}`), isPrefix, isFolded };
}

function makePrefix(text: string): string {
  return text.replace(/'(?::C)?$/, (end) => (end === "'" ? "':*" : `':*${DERIVED}`));
}

function hasParts({ isCompound, text }: SplitWord): boolean {
  return isCompound || /\p{L}-\p{L}/u.test(text);
}

function listLexemes({ run }: SplitWord, weight: string): string[] {
  return run.map(([lexeme = '']) => `'${lexeme}'${weight}`);
}

/** Returns a sequence of letters that does not occur in the query. */
function chooseSign(query: string): string {
  let sign = 'zqx';
  while (query.toLowerCase().includes(sign)) sign += 'q';
  return `${sign}z`;
}

function spell(index: number): string {
  return [...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');
}
