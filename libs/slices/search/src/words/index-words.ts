import { stripVTControlCharacters } from 'node:util';
import { listRuns } from './split-words.ts';

/** Goes up when the words of a chunk are made in another way: chunks of an older one are indexed anew in the background. */
export const INDEX_VERSION = 2;

/** What the text index is made of. */
export interface IndexWords {
  /** The content as it is read: without the codes of terminals, accents in one form. */
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

/** An accent is one with its letter, however it was typed. */
export function normaliseAccents(text: string): string {
  return text.normalize('NFC');
}

/** Of the content of a chunk. */
export function buildIndexWords(content: string): IndexWords {
  const text = normaliseAccents(stripTerminalCodes(content));
  const positions = new Map<string, number[]>();
  let position = 0;
  for (const run of listRuns(text)) {
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
  return { text, derived: entries.join(' ') };
}
