import { stripVTControlCharacters } from 'node:util';
import { foldText, listPieces } from './fold-text.ts';
import { listRuns, type Run } from './split-words.ts';

/** Goes up when the words of a chunk are made in another way: chunks of an older one are indexed anew in the background. */
export const INDEX_VERSION = 4;

/** Stands behind the last word of a chunk whose text goes on in the next one. No text and no query yields it as a word. */
export const GOES_ON = '¶';

/** What the text index is made of. */
export interface IndexWords {
  /** The content as it is read: without the codes of terminals, in one form (`foldText`). */
  readonly text: string;
  /** Text form of a tsvector: parts of its words, which stand behind them. */
  readonly derived: string;
}

const TERMINAL = ['\u001b', '\u009b', '\r'];
/** A place that nothing stands at, so that no phrase goes on from one run into the next, nor from the text into the first. */
const GAP = 2;

/** Without the colours of a terminal; a line that was written over is a line of its own. */
export function stripTerminalCodes(text: string): string {
  if (!TERMINAL.some((code) => text.includes(code))) return text;
  return stripVTControlCharacters(text).replaceAll(/\r\n?/g, '\n');
}

/** Of the content of a chunk. @param goesOn - whether the next chunk of its source goes on where it ends */
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
  // The places of what is derived are counted from the last word of the text on.
  if (goesOn) entries.unshift(`'${GOES_ON}':1`);
  return { text, derived: entries.join(' ') };
}
