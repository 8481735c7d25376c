import { stripVTControlCharacters } from 'node:util';
import { foldText, listPieces } from './fold-text.ts';
import { visitRuns, type RunVisitor } from './visit-runs.ts';

/** Version of the rules for index words: chunks of an older version are reindexed in the background. */
export const INDEX_VERSION = 4;

/**
 * A marker after the last word of a chunk whose text continues in the next chunk. No text or query contains it as a
 * word.
 */
export const GOES_ON = '¶';

/** Input for the text index. */
export interface IndexWords {
  /** The content without terminal escape sequences, in normalized form (`foldText`). */
  readonly text: string;
  /**
   * The additional index words in the text format of a tsvector; their positions follow those of the words of the text.
   */
  readonly derived: string;
}

const TERMINAL = ['\u001b', '\u009b', '\r'];
/**
 * Distance between the first position of a run of parts and the last position before it: one position is left empty, so
 * that no phrase spans two runs, or the text and the first run.
 */
const GAP = 2;

/**
 * Returns a text without terminal escape sequences, in which each version of an overwritten line is a separate line.
 */
export function stripTerminalCodes(text: string): string {
  if (!TERMINAL.some((code) => text.includes(code))) return text;
  return stripVTControlCharacters(text).replaceAll(/\r\n?/g, '\n');
}

/**
 * Returns the index words of a chunk.
 * @param goesOn - whether the text continues directly in the next chunk of its source
 */
export function buildIndexWords(content: string, goesOn = false): IndexWords {
  const written = stripTerminalCodes(content);
  const text = foldText(written);
  const words = new DerivedWords();
  visitRuns(text, words);
  if (text !== written) {
    for (const pieces of listPieces(written)) {
      words.beginRun();
      for (const piece of pieces) {
        words.beginPlace();
        words.addWord(piece);
      }
    }
  }
  return { text, derived: words.join(goesOn) };
}

/** The first 1,024 positions as they are written in a tsvector; nearly all chunks have fewer positions. */
const MARKS = Array.from({ length: 1024 }, (_, position) => `${position}C`);

class DerivedWords implements RunVisitor {
  /** The positions of each word as they are written in the tsvector. */
  readonly #places = new Map<string, string>();
  #position = 0;

  beginRun(): void {
    this.#position += GAP - 1;
  }

  beginPlace(): void {
    this.#position += 1;
  }

  addWord(word: string): void {
    const mark = MARKS[this.#position] ?? `${this.#position}C`;
    const known = this.#places.get(word);
    this.#places.set(word, known === undefined ? mark : `${known},${mark}`);
  }

  join(goesOn: boolean): string {
    // The tsvector of the derived words is appended to that of the text, so position 1 directly follows the last word.
    let joined = goesOn ? `'${GOES_ON}':1` : '';
    this.#places.forEach((places, word) => {
      joined += `${joined === '' ? '' : ' '}'${word}':${places}`;
    });
    return joined;
  }
}
