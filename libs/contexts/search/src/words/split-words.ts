/*
 * Splits the text that agents write into words: paths, dotted and scoped names, versions, hashes, camelCase, markup and
 * writing systems without spaces between words. Indexing and searching use the same splitting.
 */

/** One position of a run, with a part and its alternative forms; empty for a part that is too long to be a word. */
export type Place = readonly string[];
/** Parts that are adjacent in the text. */
type Run = readonly Place[];

/* ASCII words are handled separately: full Unicode matching takes twice as long. */
const ASCII = /^[\u0020-\u007e]*$/;
const ASCII_PART = /[A-Za-z0-9]+/g;
const LETTERS = /^[A-Za-z]*$/;
const WITHOUT_HUMP = /^(?:[A-Z]?[a-z0-9]*|[A-Z0-9]*)$/;
const WORD = /[\p{L}\p{M}\p{N}._\-/\\@<>:=+&#~%?$]+/gu;
const PART = /[\p{L}\p{M}\p{N}]+/gu;
/**
 * Matches a character of a writing system without spaces between words, or with particles attached to words. In Thai,
 * Lao, Khmer and Burmese, vowels are combining marks.
 */
const UNSPACED_SIGN = String.raw`[[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]&&[\p{L}\p{N}]][[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{M}\p{N}]]]`;
/** Splits a part into passages with and without spaces between words; the first and the last passage may be empty. */
const UNSPACED = new RegExp(`(${UNSPACED_SIGN}+)`, 'v');
const WHOLLY_UNSPACED = new RegExp(`^${UNSPACED_SIGN}+$`, 'v');
/**
 * Matches characters from U+0E00 on: every word in a writing system without spaces contains one, since Thai has the
 * lowest code points of these writing systems.
 */
const MAY_BE_UNSPACED = /[\u0E00-\uFFFF]/;
const HAN = /^\p{Script=Han}$/u;
/**
 * Matches characters that Postgres' parser treats as part of a word, such as a path, a host, an address, a tag or a
 * signed number.
 */
const GLUE = /[./\\@<>]|[-+]\p{N}|\p{N}-/u;
const TRAILING = /[._\-:=+&#~%?$/\\>]+$/u;
/**
 * Match digits before a letter (such as an exponent), versions and hashes, which Postgres' parser misreads or does not
 * recognize.
 */
const ODD_NUMBER = /^\p{N}+\p{L}/u;
const VERSION = /^v\p{N}+$/iu;
const HASH = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{9,64}$/iu;
export const HASH_PREFIXES = [7, 8, 12];
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Matches a capital letter after the first character, which every part with several humps contains. */
const LATE_CAPITAL = /(?<!^)\p{Lu}/u;
/** Matches letters before digits within a hump: the first part of `Error2xx`. */
const STEM = /^\p{L}{2,}(?=\p{N})/u;
/**
 * Maximum length of a word that is split into humps: longer ones are encoded data, whose letters change case at random.
 */
const LONGEST_HUMPED = 64;
/** Maximum length of a part that is indexed as a word. */
export const LONGEST_PART = 200;

export interface SplitWord {
  readonly text: string;
  /** Whether the word has parts that Postgres' parser does not index. */
  readonly isCompound: boolean;
  readonly run: Run;
  /** Humps of a one-part camelCase word, in lower case; empty for others. */
  readonly humps: readonly string[];
}

/**
 * Returns the words of a text, each with its parts.
 * @param text - in NFC
 */
export function splitWords(text: string): SplitWord[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => {
    const parts = splitParts(word);
    return parts.length === 0
      ? []
      : [{ text: word, isCompound: isCompound(word, parts), run: parts.flatMap(listPlaces), humps: findHumps(parts) }];
  });
}

function findHumps([part = '', ...others]: readonly string[]): string[] {
  const humps = others.length === 0 ? splitHumps(part) : [];
  return humps.length > 1 ? humps.map((hump) => hump.toLowerCase()) : [];
}

/** Returns the forms of one hump of several: the hump itself, and the letters before its digits. */
export function listHumpForms(hump: string): string[] {
  const word = hump.toLowerCase();
  const stem = STEM.exec(word)?.[0];
  return stem === undefined ? [word] : [word, stem];
}

/**
 * Returns the forms, in lower case, by which a word of letters and digits is found: the word, its humps, the letters
 * before the digits of a hump, consecutive humps joined, the number of a version, the prefixes of a hash, and the pairs
 * of characters in a writing system without spaces.
 */
export function listForms(part: string): string[] {
  const split = splitHumps(part);
  const humps = split.map((hump) => hump.toLowerCase());
  const stems = split.length > 1 ? split.flatMap(listHumpForms) : [];
  const joined = humps.flatMap((_, from) => humps.slice(from + 1).map((_hump, to) => humps.slice(from, from + to + 2)));
  return [...humps, ...stems, ...joined.map((each) => each.join('')), ...listPlaces(part).flat()];
}

/** Returns whether the string consists of characters of writing systems without spaces. */
export function isUnspaced(part: string): boolean {
  return MAY_BE_UNSPACED.test(part) && WHOLLY_UNSPACED.test(part);
}

export function isCompound(word: string, parts: readonly string[]): boolean {
  if (GLUE.test(word) && GLUE.test(word.replace(TRAILING, ''))) return true;
  return parts.some(
    (part) =>
      !LETTERS.test(part) && (ODD_NUMBER.test(part) || VERSION.test(part) || HASH.test(part) || isUnspaced(part)),
  );
}

/**
 * Matches a non-ASCII word that certainly has no parts. The result is valid only for writing systems with spaces.
 */
const PLAIN_BEYOND_ASCII = /^\p{Lu}?[\p{Ll}\p{M}]*[.:=?]?$/u;

/**
 * Returns whether a non-ASCII word certainly has no parts, like most words: checking this first saves most of the time.
 */
export function isPlainBeyondAscii(word: string): boolean {
  return !MAY_BE_UNSPACED.test(word) && PLAIN_BEYOND_ASCII.test(word);
}

/**
 * Splits a word into its parts, which consist of letters and digits; also separates characters of writing systems
 * without spaces from others.
 */
export function splitParts(word: string): readonly string[] {
  if (ASCII.test(word)) return word.match(ASCII_PART) ?? [];
  const all = word.match(PART) ?? [];
  if (!MAY_BE_UNSPACED.test(word)) return all;
  return all.flatMap((part) => part.split(UNSPACED)).filter((part) => part !== '');
}

export function listPlaces(part: string): Place[] {
  const word = part.toLowerCase();
  if (word.length <= LONGEST_PART && LETTERS.test(word)) return [[word]];
  if (isUnspaced(part)) return listPairs([...part]);
  if (word.length > LONGEST_PART) return [[]];
  if (VERSION.test(word)) return [[word, word.slice(1)]];
  if (!HASH.test(word)) return [[word]];
  return [[word, ...HASH_PREFIXES.filter((length) => length < word.length).map((length) => word.slice(0, length))]];
}

/** Returns overlapping pairs of characters, each with its own position; a single Han character is also a word. */
function listPairs(characters: readonly string[]): Place[] {
  if (characters.length === 1) return [characters];
  return characters.slice(1).map((second, index) => {
    const first = characters[index] ?? '';
    const isLast = index === characters.length - 2;
    return [first + second, ...[first, ...(isLast ? [second] : [])].filter((character) => HAN.test(character))];
  });
}

export function splitHumps(part: string): string[] {
  if (part.length > LONGEST_HUMPED || WITHOUT_HUMP.test(part) || !LATE_CAPITAL.test(part)) return [part];
  return part.split(HUMP);
}
