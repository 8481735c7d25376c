/** Sizes of chunks (CORP-3). Lengths are in UTF-16 code units, as in JavaScript. */
export const CHUNK_LENGTH = 1200;
export const CHUNK_OVERLAP = 200;
export const MAX_CHUNKS = 64;
/**
 * Number of chunks of the head, and of the tail, that are stored for a text with more than `MAX_CHUNKS` chunks. The
 * tail is stored because the end of a log shows the result.
 */
const CHUNKS_OF_AN_END = MAX_CHUNKS / 2;
/** Distance before the limit within which a line or word boundary is looked for. */
const BORDER_WINDOW = 200;

export interface TextChunk {
  readonly text: string;
  /** Position of the chunk in the source: `text` is `source.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

export interface SplitText {
  readonly chunks: readonly TextChunk[];
  /** Index of the chunk before the omitted text; undefined if nothing is omitted. */
  readonly gapAfter: number | undefined;
}

/**
 * Splits a text into overlapping chunks; of a long text, only the chunks of the head and the tail are retained. The
 * result is deterministic; chunks with only white space are omitted. This function alone defines the indexed part of a
 * text: the backfill, reindexing and embedding also use these chunks.
 *
 * @param gapAt - position at which the middle of the text was omitted; no chunk spans it
 */
export function splitIntoChunks(source: string, gapAt?: number): SplitText {
  const head = cutChunks(source.slice(0, gapAt), 0);
  const tail = gapAt === undefined ? head : cutChunks(source.slice(gapAt), gapAt);
  if (gapAt === undefined && head.length <= MAX_CHUNKS) return { chunks: head, gapAfter: undefined };
  const kept = head.slice(0, CHUNKS_OF_AN_END);
  return { chunks: [...kept, ...tail.slice(-CHUNKS_OF_AN_END)], gapAfter: Math.max(0, kept.length - 1) };
}

function cutChunks(source: string, offset: number): TextChunk[] {
  const chunks: TextChunk[] = [];
  let start = 0;
  while (start < source.length) {
    const end = findCut(source, start);
    const text = source.slice(start, end);
    if (text.trim() !== '') chunks.push({ text, start: offset + start, end: offset + end });
    if (end >= source.length) break;
    // The start always advances, even if a sequence of combining marks is longer than the overlap.
    start = Math.max(stepToBorder(source, end - CHUNK_OVERLAP, 1), start + 1);
  }
  return chunks;
}

/**
 * Returns the end of the chunk that starts here: after the last line boundary in the window, or else the last word
 * boundary, or else any allowed position.
 */
function findCut(source: string, start: number): number {
  const limit = start + CHUNK_LENGTH;
  if (limit >= source.length) return source.length;
  const window = source.slice(limit - BORDER_WINDOW, limit);
  const line = window.lastIndexOf('\n');
  if (line >= 0) return limit - BORDER_WINDOW + line + 1;
  for (let index = window.length - 1; index >= 0; index -= 1) {
    const place = limit - BORDER_WINDOW + index + 1;
    if (/\s/.test(window[index] ?? '') && isBorder(source, place)) return place;
  }
  return stepToBorder(source, limit, -1);
}

/**
 * Matches characters that belong to the character before them: combining marks, joiners, skin tones, tags, vowels and
 * finals of Hangul.
 */
const CONTINUES = /^(?:\p{M}|\u200D|\p{Emoji_Modifier}|[\u{E0020}-\u{E007F}]|[\u1160-\u11FF\uD7B0-\uD7FF])/u;
/**
 * Returns the next position, in one direction, at which a split divides no character. Stops searching at the end of the
 * window.
 */
function stepToBorder(source: string, from: number, direction: 1 | -1): number {
  for (let steps = 0; steps < BORDER_WINDOW; steps += 1) {
    const place = from + steps * direction;
    if (place <= 0 || place >= source.length) return Math.min(Math.max(place, 0), source.length);
    if (isBorder(source, place)) return place;
  }
  return isInsidePair(source, from) ? from + direction : from;
}

function isBorder(source: string, place: number): boolean {
  if (isInsidePair(source, place) || source[place - 1] === '\u200D') return false;
  if (source[place - 1] === '\r' && source[place] === '\n') return false;
  const next = source.slice(place, place + 2);
  return !CONTINUES.test(next) && !isInsideFlag(source, place);
}

/**
 * Returns whether a position divides a flag, which consists of two regional indicator letters; which of the letters
 * form a pair depends on where the sequence of such letters begins.
 */
function isInsideFlag(source: string, place: number): boolean {
  if (!isFlagLetter(source, place)) return false;
  let before = place - 2;
  while (isFlagLetter(source, before)) before -= 2;
  return ((place - before) / 2) % 2 === 0;
}

function isFlagLetter(source: string, place: number): boolean {
  const code = source.codePointAt(place) ?? 0;
  return place >= 0 && code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isInsidePair(source: string, place: number): boolean {
  const before = source.charCodeAt(place - 1);
  const after = source.charCodeAt(place);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
