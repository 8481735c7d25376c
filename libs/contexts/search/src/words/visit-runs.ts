import {
  HASH_PREFIXES,
  isCompound,
  isPlainBeyondAscii,
  listHumpForms,
  listPlaces,
  LONGEST_PART,
  splitHumps,
  splitParts,
} from './split-words.ts';

/** Receives the index terms that a text has in addition to its words, in the order in which they are indexed. */
export interface RunVisitor {
  /** Begins a run, whose parts are adjacent in the text. */
  beginRun(): void;
  /** Begins the next position of the run. The position gets no word if its part is too long to be a word. */
  beginPlace(): void;
  /** Adds a word to the position; it is called at most once per position for the same word. */
  addWord(word: string): void;
}

/*
 * Classes of ASCII characters. Every stored chunk is scanned with these classes instead of regular expressions, which
 * create an object for each match. Most words have no parts, and cost nothing but the scan.
 */
const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
/** A sign that belongs to a word. */
const SIGN = 8;
/** A sign that Postgres' parser treats as part of a word. */
const GLUE = 16;
/** A sign that joins nothing if it is at the end of a word. */
const TRAILING = 32;
/** A sign that may be the last character of a word that has no parts. */
const STOP = 64;
const HEX_LETTER = 128;

const LETTER = LOWER | UPPER;
const ALPHANUMERIC = LETTER | DIGIT;
/** A character that is not ASCII. */
const WIDE = 256;

const CLASSES = new Uint8Array(128);
for (const [signs, bits] of [
  ['abcdefghijklmnopqrstuvwxyz', LOWER],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER],
  ['0123456789', DIGIT],
  ['abcdefABCDEF', HEX_LETTER],
  [String.raw`._-/\@<>:=+&#~%?$`, SIGN],
  [String.raw`./\@<>`, GLUE],
  [String.raw`._-:=+&#~%?$/\>`, TRAILING],
  ['.:=?', STOP],
] as const)
  for (const sign of signs) CLASSES[sign.charCodeAt(0)] = (CLASSES[sign.charCodeAt(0)] ?? 0) | bits;

const classOf = (code: number): number => (code < 128 ? (CLASSES[code] as number) : WIDE);

const [PLUS, MINUS, SMALL_V, CAPITAL_V, LESS_THAN, GREATER_THAN] = [0x2b, 0x2d, 0x76, 0x56, 0x3c, 0x3e];
const WIDE_LETTERS = /[\p{L}\p{M}\p{N}]+/uy;
/** Matches the character after the `<` of markup that Postgres' parser recognizes and omits from the index. */
const MARKUP_START = /[a-z/!?]/iuy;
const [SHORTEST_HASH, LONGEST_HASH] = [9, 64];

/**
 * Visits the index terms that a text has in addition to its words; words in one piece of markup are combined in one
 * run.
 * @param text - in NFC
 */
export function visitRuns(text: string, visitor: RunVisitor): void {
  const scanner = new Scanner(text, visitor);
  let at = 0;
  while (at < text.length) {
    const start = at;
    let seen = 0;
    let signs = 0;
    let lastBits = 0;
    let hasLateCapital = false;
    for (; at < text.length; at += 1) {
      const bits = classOf(text.charCodeAt(at));
      if (bits === WIDE) {
        const end = endOfWideLetters(text, at);
        if (end === at) break;
        at = end - 1;
      } else if (bits === 0) break;
      else if ((bits & SIGN) !== 0) signs += 1;
      else if (bits & UPPER && at > start) hasLateCapital = true;
      seen |= bits;
      lastBits = bits;
    }
    if (at > start) {
      // Most words consist only of letters (without a capital after the first letter) or only of digits, followed by at
      // most one stop: outside markup, they certainly have no parts or humps.
      const isPlain =
        signs <= ((lastBits & STOP) === 0 ? 0 : 1) &&
        (seen & DIGIT ? (seen & LETTER) === 0 : !hasLateCapital) &&
        (seen & WIDE) === 0;
      scanner.visitWord(start, at, isPlain, (seen & WIDE) !== 0);
    } else at += (text.codePointAt(at) as number) > 0xff_ff ? 2 : 1;
  }
  scanner.end();
}

function endOfWideLetters(text: string, at: number): number {
  WIDE_LETTERS.lastIndex = at;
  return WIDE_LETTERS.test(text) ? WIDE_LETTERS.lastIndex : at;
}

class Scanner {
  readonly #text: string;
  readonly #visitor: RunVisitor;
  /** Position of the piece of markup that contains the current word, or of the next piece after the word. */
  #tagStart = 0;
  #tagEnd = 0;
  /** Start of the piece of markup whose words are combined; negative outside markup. */
  #openTag = -1;
  #isRunOpen = false;
  /** Parts whose humps are visited after the open run ends. */
  readonly #humped: string[] = [];

  constructor(text: string, visitor: RunVisitor) {
    this.#text = text;
    this.#visitor = visitor;
  }

  visitWord(start: number, end: number, isPlain: boolean, isWide: boolean): void {
    while (this.#tagEnd <= start) this.#findTag();
    const isInTag = this.#tagStart < end;
    if (isPlain && !isInTag) return;
    if (!isInTag || this.#tagStart !== this.#openTag) this.end();
    this.#openTag = isInTag ? this.#tagStart : -1;
    if (isWide) this.#visitWide(this.#text.slice(start, end), isInTag);
    else this.#visitAscii(start, end, isInTag);
    if (!isInTag) this.end();
  }

  /** Ends the open run. */
  end(): void {
    this.#isRunOpen = false;
    for (const part of this.#humped) {
      const humps = splitHumps(part);
      if (humps.length < 2) continue;
      this.#visitor.beginRun();
      for (const hump of humps) this.#visitPlace(listHumpForms(hump));
    }
    if (this.#humped.length > 0) this.#humped.length = 0;
  }

  #findTag(): void {
    const text = this.#text;
    let start = text.indexOf('<', this.#tagEnd);
    while (start >= 0) {
      let end = start + 1;
      MARKUP_START.lastIndex = end;
      if (MARKUP_START.test(text)) {
        while (end < text.length && text.charCodeAt(end) !== LESS_THAN && text.charCodeAt(end) !== GREATER_THAN)
          end += 1;
        if (text.charCodeAt(end) === GREATER_THAN) {
          this.#tagStart = start;
          this.#tagEnd = end + 1;
          return;
        }
      }
      start = text.indexOf('<', end);
    }
    this.#tagStart = Infinity;
    this.#tagEnd = Infinity;
  }

  #visitWide(word: string, isInTag: boolean): void {
    if (!isInTag && isPlainBeyondAscii(word)) return;
    const parts = splitParts(word);
    if (isInTag || isCompound(word, parts)) {
      for (const part of parts) {
        for (const place of listPlaces(part)) {
          this.#openRun();
          this.#visitPlace(place);
        }
      }
    }
    this.#humped.push(...parts);
  }

  #visitAscii(start: number, end: number, isInTag: boolean): void {
    const isRun = isInTag || isAsciiCompound(this.#text, start, end);
    for (let from = start, to = start; from < end; from = to + 1) {
      let seen = 0;
      for (to = from; to < end; to += 1) {
        const bits = classOf(this.#text.charCodeAt(to));
        if ((bits & ALPHANUMERIC) === 0) break;
        seen |= bits;
      }
      if (to === from) continue;
      if (isRun) this.#visitAsciiPart(from, to, seen);
      if ((seen & LETTER) === LETTER) this.#humped.push(this.#text.slice(from, to));
    }
  }

  #visitAsciiPart(from: number, to: number, seen: number): void {
    this.#openRun();
    this.#visitor.beginPlace();
    if (to - from > LONGEST_PART) return;
    const part = this.#text.slice(from, to);
    const word = seen & UPPER ? part.toLowerCase() : part;
    this.#visitor.addWord(word);
    if ((seen & DIGIT) === 0) return;
    if (isVersion(this.#text, from, to)) this.#visitor.addWord(word.slice(1));
    else if (isHash(this.#text, from, to))
      for (const length of HASH_PREFIXES) if (length < word.length) this.#visitor.addWord(word.slice(0, length));
  }

  #openRun(): void {
    if (!this.#isRunOpen) this.#visitor.beginRun();
    this.#isRunOpen = true;
  }

  #visitPlace(words: readonly string[]): void {
    this.#visitor.beginPlace();
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index] as string;
      if (words.indexOf(word) === index) this.#visitor.addWord(word);
    }
  }
}

/** Returns the result of `isCompound` for an ASCII word. */
function isAsciiCompound(text: string, start: number, end: number): boolean {
  let trimmed = end;
  while (trimmed > start && classOf(text.charCodeAt(trimmed - 1)) & TRAILING) trimmed -= 1;
  let before = 0;
  for (let at = start; at < trimmed; at += 1) {
    const code = text.charCodeAt(at);
    const bits = classOf(code);
    if (bits & GLUE) return true;
    if (code === MINUS && before & DIGIT) return true;
    if ((code === PLUS || code === MINUS) && classOf(text.charCodeAt(at + 1)) & DIGIT) return true;
    if (bits & ALPHANUMERIC && (before & ALPHANUMERIC) === 0 && isOdd(text, at, trimmed)) return true;
    before = bits;
  }
  return false;
}

/** Returns whether the part that begins here has digits before a letter, or is a version or a hash. */
function isOdd(text: string, start: number, limit: number): boolean {
  let seen = 0;
  let end = start;
  for (; end < limit; end += 1) {
    const bits = classOf(text.charCodeAt(end));
    if ((bits & ALPHANUMERIC) === 0) break;
    seen |= bits;
  }
  if ((seen & DIGIT) === 0 || (seen & LETTER) === 0) return false;
  if (classOf(text.charCodeAt(start)) & DIGIT) return true;
  return isVersion(text, start, end) || isHash(text, start, end);
}

function isVersion(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  if ((first !== SMALL_V && first !== CAPITAL_V) || end - start < 2) return false;
  for (let at = start + 1; at < end; at += 1) if ((classOf(text.charCodeAt(at)) & DIGIT) === 0) return false;
  return true;
}

function isHash(text: string, start: number, end: number): boolean {
  if (end - start < SHORTEST_HASH || end - start > LONGEST_HASH) return false;
  let seen = 0;
  for (let at = start; at < end; at += 1) {
    const bits = classOf(text.charCodeAt(at)) & (DIGIT | HEX_LETTER);
    if (bits === 0) return false;
    seen |= bits;
  }
  return seen === (DIGIT | HEX_LETTER);
}
