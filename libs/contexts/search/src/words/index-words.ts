import { stripVTControlCharacters } from 'node:util';
import { foldText, listPieces } from './fold-text.ts';
import { listRuns, type Run } from './split-words.ts';

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
  /** Parts of words in the text format of a tsvector, positioned after the words of the content. */
  readonly derived: string;
}

const TERMINAL = ['\u001b', '\u009b', '\r'];
/** Number of empty positions before each run, so that no phrase spans two runs, or the text and the first run. */
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
 * @param goesOn - whether the next chunk of its source continues directly
 */
export function buildIndexWords(content: string, goesOn = false): IndexWords {
  const written = stripTerminalCodes(content);
  const text = foldText(written);
  const positions = new Map<string, number[]>();
  let position = 0;
  const pieces: Run[] = text === written ? [] : listPieces(written).map((words) => words.map((word) => [word]));
  for (const run of [...listRuns(text), ...pieces]) {
    position += GAP - 1;
    for (const place of run) {
      position += 1;
      for (const word of place) {
        const known = positions.get(word);
        if (known === undefined) positions.set(word, [position]);
        else if (known.at(-1) !== position) known.push(position);
      }
    }
  }
  const entries = [...positions].map(([word, places]) => `'${word}':${places.map((place) => `${place}C`).join(',')}`);
  // Positions of derived words start after the last word of the text.
  if (goesOn) entries.unshift(`'${GOES_ON}':1`);
  return { text, derived: entries.join(' ') };
}
