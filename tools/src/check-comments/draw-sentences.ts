import { createHash } from 'node:crypto';

/** Text that people read, and its location. */
export interface PlacedText {
  /**
   * Kind of the text. The texts of one kind have the same readers: those of the API, the console, the command line, or
   * comments.
   */
  readonly kind: string;
  readonly place: string;
  readonly text: string;
}

/** Matches ends of sentences, except after an abbreviation of one or two letters, such as "e.g.". */
const ENDS = /(?<=[^.\s]{3}[.!?][)”"’`]*)\s+(?=[\p{Lu}`“"(])|\n\s*\n/u;

/**
 * Draws about `count` sentences, equally many of each kind, each sentence once under the first of its kinds. A seed
 * draws the same sentences again until they are rewritten, whatever else changes.
 */
export function drawSentences(texts: readonly PlacedText[], count: number, seed: string): PlacedText[] {
  const unique = new Map<string, PlacedText>();
  for (const sentence of texts.flatMap(splitSentences))
    if (!unique.has(sentence.text)) unique.set(sentence.text, sentence);
  const kinds = Map.groupBy(unique.values(), ({ kind }) => kind);
  const share = Math.ceil(count / kinds.size);
  return [...kinds.values()].flatMap((sentences) =>
    sentences
      .map((sentence) => ({ sentence, order: hash(`${seed}\n${sentence.text}`) }))
      .sort((left, right) => (left.order < right.order ? -1 : 1))
      .slice(0, share)
      .map(({ sentence }) => sentence),
  );
}

function splitSentences({ kind, place, text }: PlacedText): PlacedText[] {
  return text
    .split(ENDS)
    .map((sentence) => ({ kind, place, text: sentence.replaceAll(/\s+/g, ' ').trim() }))
    .filter((sentence) => sentence.text !== '');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
